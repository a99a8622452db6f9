/** The build that runs here: the hash in the name of its entry script. It names the source maps of the same build. */
export function releaseId(): string {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src');
  return /([\w.-]+)\.[jt]sx?$/.exec(entry ?? '')?.[1]?.slice(0, 64) ?? 'unknown';
}
