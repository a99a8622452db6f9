import type { Span } from '../requirement.js';

/** A normalised text, with the original offset of each of its characters. */
export interface FlatText {
  text: string;
  /** Original offset of each character, and of the end. */
  offsets: Uint32Array;
}

const DASHES = new Set('\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc');
const QUOTES: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u00b4': "'",
  '`': "'",
};
const BULLETS = new Set('\u2022\u25cf\u25aa\u25e6\u2023\u00b7\u25a0\u25ba\u27a2\u2756\u2713\u2714\uf0b7\u2605\u25c6');
/** Invisible characters: control characters, zero-width and direction marks, soft hyphens, variation selectors. */
const UNSEEN = /[\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}|\u034f/u;
const BREAK = /[\n\v\f\u0085\u2028\u2029]/;

/**
 * Normalises a text for reading. Removes invisible characters, quote marks of replies and asterisks of bold type;
 * unifies line breaks, spaces, dashes, quotes and bullets. Linear in the length of the text.
 */
export function flatten(given: string): FlatText {
  const parts: string[] = [];
  const offsets = new Uint32Array(given.length + 1);
  let length = 0;
  let isLineStart = true;
  for (let at = 0; at < given.length;) {
    const point = given.codePointAt(at)!;
    const size = point > 0xffff ? 2 : 1;
    const char = plain(given, at, size, isLineStart);
    if (char !== '') {
      parts.push(char);
      offsets[length] = at;
      length += 1;
      if (char === '\n') isLineStart = true;
      else if (char !== ' ' && char !== '\t') isLineStart = false;
    }
    at += size;
  }
  offsets[length] = given.length;
  return { text: parts.join(''), offsets: offsets.subarray(0, length + 1) };
}

/** The normalised form of a character: one UTF-16 unit, or an empty string. */
function plain(given: string, at: number, size: number, isLineStart: boolean): string {
  const char = given.slice(at, at + size);
  if (size === 2) {
    const usual = char.normalize('NFKC');
    return usual.length === 1 ? usual : isLineStart ? '\u2022' : ' ';
  }
  const code = char.charCodeAt(0);
  if (code < 0x7f && code > 0x1f) {
    if (char === '>' && isLineStart) return '';
    if (char === '*') return isLineStart && /\s/.test(given[at + 1] ?? '') ? '\u2022' : '';
    return char === '`' ? "'" : char;
  }
  if (char === '\r') return given[at + 1] === '\n' ? '' : '\n';
  if (BREAK.test(char)) return '\n';
  if (char === '\t') return char;
  if (UNSEEN.test(char) || (code >= 0xd800 && code <= 0xdfff)) return '';
  if (DASHES.has(char)) return '-';
  if (BULLETS.has(char)) return '\u2022';
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  return QUOTES[char] ?? (/\s/.test(char) ? ' ' : char);
}

/** The span in the original text that corresponds to a span of the flat text. */
export function givenSpan({ offsets }: FlatText, { from, to }: Span): Span {
  return { from: offsets[from]!, to: to > from ? offsets[to - 1]! + 1 : offsets[from]! };
}

/** Replaces parts of a text by spaces of the same length. Line breaks remain. */
export function blanked(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    if (to <= done) continue;
    const start = Math.max(from, done);
    parts.push(text.slice(done, start), text.slice(start, to).replace(/[^\n]/g, ' '));
    done = to;
  }
  return parts.join('') + text.slice(done);
}

/** A trimmed line. */
export interface Line extends Span {
  text: string;
}

export function linesOf(text: string, { from, to }: Span = { from: 0, to: text.length }): Line[] {
  const lines: Line[] = [];
  for (let start = from; start <= to;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 || found > to ? to : found;
    lines.push(trimmed(text, { from: start, to: end }));
    start = end + 1;
  }
  return lines;
}

const BLANK = new Set([' ', '\t', '\n']);

/** Trims a span of a text. */
export function trimmed(text: string, span: Span): Line {
  let { from, to } = span;
  while (from < to && BLANK.has(text[from]!)) from += 1;
  while (to > from && BLANK.has(text[to - 1]!)) to -= 1;
  return { from, to, text: text.slice(from, to) };
}

/**
 * Returns a function that tells whether one of the spans begins in a part of the text. The spans may be in any order.
 */
export function holdsAny(spans: readonly Span[]): (part: Span) => boolean {
  const starts = Uint32Array.from(spans, ({ from }) => from).sort();
  return ({ from, to }) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! < from) low = middle + 1;
      else high = middle;
    }
    return low < starts.length && starts[low]! < to;
  };
}
