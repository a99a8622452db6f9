import { parse } from 'tldts';
import { asOneLine } from './one-line.js';

const LONGEST = 100;
/** Digits with separators, long enough to be a telephone number. */
const PHONE_NUMBER = /(?<![+(])[+(]*\p{Nd}(?:[\s().,\-\u2010-\u2015_*#·]{0,3}\p{Nd}){6,}\)?/gu;

/**
 * A user's text made safe for unrequested mail: no links, mail addresses or telephone numbers, also none that a mail
 * program would detect, and no hidden or reversed text. Long texts are truncated; omissions are visible to the reader.
 */
export function withoutContactDetails(text: string): string {
  const words = plain(text.slice(0, LONGEST * 20))
    .split(' ')
    .map(withoutLinks)
    .join(' ')
    .replace(PHONE_NUMBER, '[number]')
    .replace(/ {2,}/g, ' ')
    .trim();
  const letters = [...words];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('')}…` : words;
}

/** The same in quotation marks that the text cannot close. */
export function quoted(text: string): string {
  return `“${withoutContactDetails(text).replace(/["“”„‟«»]/g, "'")}”`;
}

/**
 * Whether a text names a mail address, a web address or a host that mail programs would turn into a link: whoever reads it in a mail that
 * nobody asked for would be led there. Names of technologies (`Node.js`, `ASP.NET`) are none.
 */
export function holdsAddressOrLink(text: string): boolean {
  const line = plain(text);
  return (
    /:\/\/|\bwww\d{0,3}\./i.test(line) ||
    /[^\s@]@[^\s@]+\.[^\s@]/u.test(line) ||
    line.split(BETWEEN_HOSTS).some((word) => word.includes('.') && isHost(word.replace(/^\.+/, '')))
  );
}

const BETWEEN_HOSTS = /[^\p{L}\p{N}\p{M}_.-]/u;
/** No hosts, although `net`, `java` and `dev` are top-level domains: `ASP.NET`, `Sr.Java`, `Jr.Dev`. */
const NO_HOST = /^((asp|vb|ado|ml)\.net|(sr|jr|mr|mrs|ms|dr|st|vs|inc|corp|dept|asst|assoc)\.[^.]+)$/i;
/** Top-level domains that the Public Suffix List does not have because they are kept for examples. */
const RESERVED = /\.(example|test|invalid|localhost)$/i;

function isHost(word: string): boolean {
  if (NO_HOST.test(word)) return false;
  const { domain, isIcann, isIp } = parse(word);
  return isIp === true || (domain !== null && (isIcann === true || RESERVED.test(word)));
}

const plain = (text: string): string => asOneLine(text.normalize('NFKC')).replace(/[\u3002\uFF61\u2024\uFF0E]/g, '.');

function withoutLinks(word: string): string {
  if (/[\p{L}\p{N}]@[\p{L}\p{N}]/u.test(word)) return '[address]';
  if (/:\/\/|www\d{0,3}\./i.test(word) || /[\p{L}\p{N}]\.\p{L}[^/\\?#]*[/\\?#:]/u.test(word)) return '[link]';
  return (
    word
      .replace(/@/g, ' at ')
      .replace(/[<>[\]{}\\^`|]/g, ' ')
      .replace(/:(?=\S)/g, ': ')
      .replace(/\/{2,}/g, '/')
      // Keeps "Node.js" readable; a separated dot forms no domain.
      .replace(/(?<=[\p{L}\p{N}\p{M}_-])\.(?=[\p{L}\p{N}]{2}|xn--)/gu, ' .')
  );
}
