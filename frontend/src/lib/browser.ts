/** Actions of the browser on the whole document, in one object that tests can replace. */
export const browser = {
  /** Leaves the application for a URL on another site, or for a page of this site that is not part of the app. */
  redirectTo: (url: string): void => window.location.assign(url),
  reload: (): void => window.location.reload(),
  /** The path from which the document was loaded. Navigation inside the app does not change it. */
  loadedPath: (): string | null => {
    const [entry] = performance.getEntriesByType?.('navigation') ?? [];
    return entry ? new URL(entry.name).pathname : null;
  },
};

/** The running build: the name of its entry script, which also names its source maps. */
export function releaseId(): string {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src');
  const file = entry
    ?.split('/')
    .at(-1)
    ?.replace(/\.[jt]sx?$/, '')
    .replace(/[^\w.-]/g, '')
    .slice(0, 64);
  return file || 'unknown';
}

/** A random UUID (version 4). `crypto.randomUUID` exists only in secure contexts, so not on plain http. */
export function randomUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
