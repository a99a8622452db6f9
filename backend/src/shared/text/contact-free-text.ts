import { parse } from 'tldts';
import { asOneLine } from './one-line.js';

const MAX_LENGTH = 100;
/** Digits with separators that are long enough for a telephone number. */
const PHONE_NUMBER = /(?<![+(])[+(]*\p{Nd}(?:[\s().,\-\u2010-\u2015_*#·]{0,3}\p{Nd}){6,}\)?/gu;

/**
 * Makes a user's text safe for unrequested mail. Removes links, mail addresses and telephone numbers, including those
 * that a mail program would turn into links, and hidden or reversed text. Truncates long texts. The reader can see that
 * something is missing.
 */
export function withoutContactDetails(text: string): string {
  const words = plain(text.slice(0, MAX_LENGTH * 20))
    .split(' ')
    .map(withoutLinks)
    .join(' ')
    .replace(PHONE_NUMBER, '[number]')
    .replace(/ {2,}/g, ' ')
    .trim();
  const letters = [...words];
  return letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH).join('')}…` : words;
}

/** Like withoutContactDetails, in quotation marks that the text cannot close. */
export function quoted(text: string): string {
  return `“${withoutContactDetails(text).replace(/["“”„‟«»]/g, "'")}”`;
}

/**
 * Whether a text contains a mail address, a URL or a host, to which an unrequested mail with this text could lead its
 * reader. Names with dots (`Node.js`, `ASP.NET`, `Sr.Java`, `B.Com`, `R.K.Consulting`) do not count. If a host passes
 * as such a name, the mail still does not contain a link; see `withoutContactDetails`.
 */
export function holdsAddressOrLink(text: string): boolean {
  const line = asOneLine(text.normalize('NFKC')).replace(/(?<=[a-z\d])[\u3002\u2024](?=[a-z\d])/gi, '.');
  return (
    /:\/\/|\bwww\d{0,3}\./i.test(line) ||
    /[^\s@]@[^\s@]+\.[^\s@]/u.test(line) ||
    line.split(BETWEEN_HOSTS).some((word) => isHost(labelsOf(word)))
  );
}

const BETWEEN_HOSTS = /[^\p{L}\p{N}\p{M}_.-]/u;
/**
 * Top-level domains that companies use in names with capitals (`Bank.com`). Other words in mixed case are product names
 * (`Socket.io`).
 */
const OF_COMPANIES = new Set(['com', 'org']);
/** Top-level domains that are reserved for examples. The Public Suffix List does not contain them. */
const RESERVED = new Set(['example', 'test', 'invalid', 'localhost']);

/** The labels of a word. Drops additional hyphens, underscores and dots, because mail programs ignore them. */
const labelsOf = (word: string): string[] =>
  word
    .split('.')
    .map((label) => label.split(/[_-]/).filter(Boolean).join('-'))
    .filter(Boolean);

function isHost(labels: readonly string[]): boolean {
  const ending = labels.at(-1)?.toLowerCase() ?? '';
  if (labels.length < 2 || labels.slice(0, -1).every((label) => [...label].length === 1)) return false;
  const word = labels.join('.');
  const isMixed = word !== word.toLowerCase() && word !== word.toUpperCase();
  if (isMixed && !OF_COMPANIES.has(ending)) return false;
  if (ending === 'net' && TECHNOLOGIES.has(labels[0]!.toLowerCase())) return false;
  const { domain, isIcann } = parse(word);
  return domain !== null && (isIcann === true || RESERVED.has(ending));
}

/** Words that form technology names with `.NET`. */
const TECHNOLOGIES = new Set(['asp', 'vb', 'ado', 'ml', 'dot']);

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
      // Puts a blank before the dot: "Node .js" stays readable but is not a domain.
      .replace(/(?<=[\p{L}\p{N}\p{M}_-])\.(?=[\p{L}\p{N}]{2}|xn--)/gu, ' .')
  );
}
