/** The build that runs here: the hash in the name of its entry script. It names the source maps of the same build. */
export function releaseId(): string {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src');
  const file = entry?.split('/').at(-1)?.replace(/\.[jt]sx?$/, '').replace(/[^\w.-]/g, '').slice(0, 64);
  return file || 'unknown';
}
