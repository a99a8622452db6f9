import { asOneLine } from './one-line.js';

const LONGEST = 100;
/** Digits with separators between them, long enough to be dialled. */
const DIALLED = /(?<![+(])[+(]*\p{Nd}(?:[\s().,\-\u2010-\u2015_*#·]{0,3}\p{Nd}){6,}\)?/gu;

/**
 * A person's words as they may stand in a mail that nobody asked for: nothing in them is, or is made by a mail program into, a link, a
 * mail address or a number to call; nothing hides or turns the text. Long texts are cut. The reader sees that something is missing.
 */
export function defused(text: string): string {
  const line = asOneLine(text.slice(0, LONGEST * 20).normalize('NFKC')).replace(/[\u3002\uFF61\u2024\uFF0E]/g, '.');
  const words = line.split(' ').map(defuseWord).join(' ').replace(DIALLED, '[number]').replace(/ {2,}/g, ' ').trim();
  const letters = [...words];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('')}…` : words;
}

/** The same between quotation marks that the text itself cannot close. */
export function quoted(text: string): string {
  return `“${defused(text).replace(/["“”„‟«»]/g, "'")}”`;
}

function defuseWord(word: string): string {
  if (/:\/\/|www\d{0,3}\./i.test(word) || /[\p{L}\p{N}]\.\p{L}[^/\\?#]*[/\\?#:]/u.test(word)) return '[link]';
  return word
    .replace(/@/g, ' at ')
    .replace(/[<>[\]{}\\^`|]/g, ' ')
    .replace(/:(?=\S)/g, ': ')
    .replace(/\/{2,}/g, '/')
    // "Node.js" stays readable; a dot that stands alone makes no domain.
    .replace(/(?<=[\p{L}\p{N}\p{M}_-])\.(?=[\p{L}\p{N}]{2}|xn--)/gu, ' .');
}
