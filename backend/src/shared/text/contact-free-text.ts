import { asOneLine } from './one-line.js';

const LONGEST = 100;
/** Digits with separators, long enough to be a telephone number. */
const PHONE_NUMBER = /(?<![+(])[+(]*\p{Nd}(?:[\s().,\-\u2010-\u2015_*#·]{0,3}\p{Nd}){6,}\)?/gu;

/**
 * A user's text made safe for unrequested mail: no links, mail addresses or telephone numbers, also none that a mail
 * program would detect, and no hidden or reversed text. Long texts are truncated; omissions are visible to the reader.
 */
export function withoutContactDetails(text: string): string {
  const line = asOneLine(text.slice(0, LONGEST * 20).normalize('NFKC')).replace(/[\u3002\uFF61\u2024\uFF0E]/g, '.');
  const words = line
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

function withoutLinks(word: string): string {
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
