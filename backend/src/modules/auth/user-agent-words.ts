import Bowser from 'bowser';

/** What a User-Agent header says, for people: "Chrome on Windows". */
export function inWords(userAgent: string | null | undefined): string {
  if (!userAgent) return 'Unknown device';
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name && os.name) return `${browser.name} on ${os.name}`;
  return browser.name || os.name || 'Script or API client';
}
