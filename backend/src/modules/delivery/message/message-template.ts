import { relaxedBody } from '../../../shared/mail/smtp/dkim-signer.js';
import { quotedPrintable } from './quoted-printable.js';

/**
 * A text that is split at its placeholders, so it has one more text than placeholders. A placeholder is an index into
 * the values.
 */
export interface MessageTemplate {
  texts: string[];
  placeholders: number[];
}

/** A placeholder, and the random mark that represents it while the library composes the message. */
export type Mark = readonly [placeholder: number, mark: string];

/**
 * Splits a text at its marks in one pass.
 * @param marks no mark may be a prefix of another one
 */
export function splitAtPlaceholders(text: string, marks: readonly Mark[]): MessageTemplate {
  const placeholderOf = new Map(marks.map(([placeholder, mark]) => [mark, placeholder]));
  const parts = text.split(new RegExp(`(${[...placeholderOf.keys()].map(escapeRegExp).join('|')})`));
  return {
    texts: parts.filter((_part, i) => i % 2 === 0),
    placeholders: parts.filter((_part, i) => i % 2 === 1).map((mark) => placeholderOf.get(mark)!),
  };
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Encodes the texts as quoted-printable. Puts soft line breaks around each placeholder, so that values cannot make a
 * line too long.
 */
export function encodeTemplate({ texts, placeholders }: MessageTemplate): MessageTemplate {
  const encoded = texts.map((text, i) => {
    const quotedText = quotedPrintable(text);
    const before = i > 0 ? '=\r\n' : '';
    const after = i < texts.length - 1 && !quotedText.endsWith('\n') && quotedText !== '' ? '=\r\n' : '';
    return before + quotedText + after;
  });
  return { texts: encoded, placeholders };
}

export function joinTemplates(
  start: string,
  first: MessageTemplate,
  between: string,
  second: MessageTemplate,
  end: string,
): MessageTemplate {
  const texts = [...first.texts];
  texts[0] = start + texts[0]!;
  texts[texts.length - 1] += between + second.texts[0]!;
  texts.push(...second.texts.slice(1));
  texts[texts.length - 1] += end;
  return { texts: texts.map(flatText), placeholders: [...first.placeholders, ...second.placeholders] };
}

/** Flattens an ASCII string. V8 stores concatenated strings as a tree, which would be traversed for every message. */
export const flatText = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/**
 * Converts the texts to DKIM's relaxed form. Each text can be converted separately, because blanks never adjoin a
 * placeholder. Empty lines are removed only at the end of the last text.
 */
export function relaxedTexts(texts: readonly string[]): string[] {
  return texts.map((text, i) => (i === texts.length - 1 ? relaxedBody(text) : collapseBlanks(text)));
}

export const collapseBlanks = (text: string): string =>
  text.replace(/[ \t]+(\r\n)?/g, (_run, end?: string) => end ?? ' ');

export function fillTemplate({ texts, placeholders }: MessageTemplate, values: readonly string[]): string {
  let filled = texts[0]!;
  for (let i = 0; i < placeholders.length; i++) filled += values[placeholders[i]!] + texts[i + 1]!;
  return filled;
}

export const lengthOf = ({ texts }: MessageTemplate): number => texts.reduce((sum, text) => sum + text.length, 0);
