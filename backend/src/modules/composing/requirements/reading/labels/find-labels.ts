import type { Span } from '../../requirement.js';
import { type LabelField, SECTIONS } from './label-fields.js';
import { LABELS } from './label-words.js';
import { type PlacedWord, WordTrie } from '../../../../../shared/text/word-trie.js';
import { type Line, trimmed } from '../flat-text.js';

/** How a label is marked: by a colon, by a dash, as a table cell, or alone on its line. */
export type LabelForm = 'colon' | 'dash' | 'cell' | 'alone';

/** A label with the value that follows it. */
export interface Labelled extends Span {
  field: LabelField;
  form: LabelForm;
  isLineStart: boolean;
  /** The value, trimmed; a single line, except for sections. */
  value: Line;
}

const WORD = /[\p{L}\p{N}']+/gu;
const WITHIN = /^[ \t/&()\-_.,]{1,3}$/;
const BRACKETS = /(?:\([^()\n]{0,40}\)|\/[a-z]{1,4}\b)?/iy;
const COLON = /[ \t#.]{0,6}(?:#?::?-?|=>?)[ \t>-]{0,4}/y;
const DASH = /[ \t]{0,3}-{1,3}>?[ \t]{1,9}|[ \t]{1,9}-{1,3}>?[ \t]{0,9}|[ \t]?#[ \t]{0,9}/y;
const CELL = /[ \t]{0,40}(?:\t|\||[ ]{3})[ \t|]{0,40}/y;
const ALONE = /[ \t|.]{0,40}(?=\n|$)/y;

const labels = new WordTrie<LabelField>(WITHIN);
for (const [field, phrases] of Object.entries(LABELS) as [LabelField, readonly string[]][])
  for (const phrase of phrases) labels.add(phrase.split(' '), field);

/** Finds all labels of a text in order, each with the text up to the next one. Linear in the length of the text. */
export function findLabels(text: string): Labelled[] {
  const words = Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    text: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }));
  const heads: Omit<Labelled, 'value'>[] = [];
  const starts: number[] = [];
  for (let n = 0; n < words.length; n += 1) {
    const label = labels.longest(text, words, n);
    const head = label && headOf(text, words, n, label);
    if (!head) continue;
    heads.push(head);
    starts.push(head.to);
    n = label.last;
  }
  return heads.map((head, n) => ({ ...head, value: valueOf(text, head, heads[n + 1]) }));
}

/**
 * Checks whether words are a label.
 * @returns the label that begins at a word; null if the characters around the words show that they belong to a sentence
 */
function headOf(
  text: string,
  words: readonly PlacedWord[],
  n: number,
  { last, value: field }: { last: number; value: LabelField },
): Omit<Labelled, 'value'> | null {
  const { from } = words[n]!;
  const previous = words[n - 1];
  const gap = text.slice(previous?.to ?? 0, from);
  const isLineStart = !previous || gap.includes('\n') || isNumbering(text, words, n);
  const isCellStart = isLineStart || /\t|\||[ ]{3}/.test(gap);
  const after = eaten(BRACKETS, text, words[last]!.to);
  const at = (form: LabelForm, to: number) => ({ from, to, field, form, isLineStart });
  const colon = eaten(COLON, text, after);
  if (colon > after) {
    // In the middle of a line, a label starts with a capital letter or follows punctuation. Other words belong to a
    // sentence, such as "in this role: ...".
    const isTitled = /\p{Lu}/u.test(text[from]!) || /[|;,.\t(]\s{0,9}$/.test(gap);
    return isLineStart || isCellStart || isTitled ? at('colon', colon) : null;
  }
  if (!isCellStart) return null;
  const cell = eaten(CELL, text, after);
  if (cell > after && text[cell] !== '\n' && cell < text.length) return at('cell', cell);
  if (!isLineStart || field === 'other')
    return eaten(ALONE, text, after, true) >= 0 && isLineStart ? at('alone', after) : null;
  const dash = eaten(DASH, text, after);
  if (dash > after) return at('dash', dash);
  return eaten(ALONE, text, after, true) >= 0 ? at('alone', after) : null;
}

/** Whether the word before a label is its numbering, such as "1." or "a)". */
function isNumbering(text: string, words: readonly PlacedWord[], n: number): boolean {
  const number = words[n - 1]!;
  if (number.to - number.from > 2 || !/^(?:\d+|[a-z])$/.test(number.text)) return false;
  if (!/^[.):\- \t]{1,4}$/.test(text.slice(number.to, words[n]!.from))) return false;
  const before = words[n - 2];
  return !before || text.slice(before.to, number.from).includes('\n');
}

/**
 * Matches a pattern at an offset.
 * @returns the end of the match; if there is none, -1 with `mustMatch`, else the offset itself
 */
function eaten(pattern: RegExp, text: string, at: number, mustMatch = false): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : mustMatch ? -1 : at;
}

function valueOf(
  text: string,
  { to, field }: Omit<Labelled, 'value'>,
  next: Omit<Labelled, 'value'> | undefined,
): Line {
  const limit = next?.from ?? text.length;
  const lineEnd = Math.min(limit, endOfLine(text, to));
  const inline = trimmedValue(text, { from: to, to: lineEnd });
  if (SECTIONS.has(field)) {
    // A list that begins on the line of its label ends with the paragraph; a list below its label ends at the next
    // label.
    const blank = inline.text === '' ? -1 : text.slice(to, limit).search(/\n[ \t]*\n/);
    return trimmed(text, { from: to, to: blank < 0 ? limit : to + blank });
  }
  if (inline.text !== '' || lineEnd === limit) return inline;
  const below = /\n+[ \t\n]*/y;
  below.lastIndex = lineEnd;
  if (!below.test(text) || below.lastIndex >= limit) return inline;
  return trimmedValue(text, { from: below.lastIndex, to: Math.min(limit, endOfLine(text, below.lastIndex)) });
}

const EDGE = new Set([' ', '\t', '\n', '|', ';', ',', '\u2022', '-', '=', '_']);

/** The value without white space and separators at its ends. */
function trimmedValue(text: string, span: Span): Line {
  let { from, to } = trimmed(text, span);
  while (from < to && EDGE.has(text[from]!)) from += 1;
  while (to > from && EDGE.has(text[to - 1]!)) to -= 1;
  return { from, to, text: text.slice(from, to) };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
