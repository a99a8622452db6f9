/** LINK_GUARD_SECONDS as the server wrote it into the page; 0 when it did not. */
export function guardSeconds(): number {
  const text = document.querySelector<HTMLMetaElement>('meta[name="link-guard-seconds"]')?.content;
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

/**
 * Whether a link must wait for a person's press: some mail scanners open links and run their scripts within minutes
 * of delivery. `m` is the time of mailing in unix seconds, base 36; a link without it acts at once.
 */
export function mustWait(m: string | null, now = Date.now(), guard = guardSeconds()): boolean {
  if (!m || guard === 0 || !/^[0-9a-z]+$/i.test(m)) return false;
  const mailedAt = Number.parseInt(m, 36);
  return now / 1000 - mailedAt < guard;
}

/** The link of a mail to the shared network names its sender after a dot. */
export const isNetworkLink = (token: string): boolean => token.includes('.');
