import { fillPieces, LIST_NAME, type Piece, type TagPiece } from './pieces.js';

/**
 * Maximum lengths, in UTF-16 units: of a value in the text parts, of a value in the subject, and of the filled subject.
 */
export const MAX_VALUE_LENGTH = 200;
export const MAX_SUBJECT_VALUE = 100;
export const MAX_SUBJECT = 255;

/** Cleaned values of one recipient's tags. A tag without a value gets its fallback. */
export interface TagValues {
  get(tag: string): string | undefined;
  has(tag: string): boolean;
}
export const NO_VALUES: TagValues = new Map<string, string>();

const CLEAN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
/** Like CLEAN, but also with accented Latin letters, so that it covers most names. */
const CLEAN_LATIN = /^[\x21-\x7e\u00c0-\u024f]+(?: [\x21-\x7e\u00c0-\u024f]+)*$/;
/** Control characters other than white space, bidirectional characters, private-use characters and lone surrogates. */
const UNWANTED =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Co}\p{Cs}]+/gu;
const BLANKS = /[\s\u0085]+/g;

/**
 * Cleans a value: one line of at most `max` characters, without control characters, repeated blanks, and blanks at
 * either end.
 */
export function cleanValue(value: string, max = MAX_VALUE_LENGTH): string {
  if (value.length <= max && (CLEAN.test(value) || CLEAN_LATIN.test(value))) return value;
  // Reads only ten times the maximum length, which suffices for any sensible number of blanks and bounds the work for a
  // value of megabytes.
  return cutValue(
    value
      .slice(0, max * 10)
      .replace(UNWANTED, '')
      .replace(BLANKS, ' ')
      .trim(),
    max,
  );
}

/** Cuts a cleaned value, but never inside a character. */
export function cutValue(value: string, max: number): string {
  if (value.length <= max) return value;
  const last = value.charCodeAt(max - 1);
  return value.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max).trimEnd();
}

/** The text that replaces a tag for a recipient. */
export const valueOf = ({ tag, fallback }: TagPiece, values: TagValues): string => values.get(tag) || fallback || '';

/** The subject for a recipient, cut to MAX_SUBJECT. */
export function filledSubject(subject: readonly Piece[], values: TagValues, listName = ''): string {
  const filled = fillPieces(subject, (tag) => {
    const listValue = tag.tag === LIST_NAME && listName !== '' ? cleanValue(listName) : '';
    const value = listValue || valueOf(tag, values);
    return cutValue(value, MAX_SUBJECT_VALUE);
  });
  return cutValue(filled.trim(), MAX_SUBJECT);
}

/** Maximum length of a custom field's key. */
const MAX_KEY_LENGTH = 54;

/**
 * Key of a custom field, for `{{field.key}}`, derived from its label: `Visa status` becomes visa_status. Empty if the
 * label has no ASCII letters or digits.
 */
export const fieldKey = (label: string): string =>
  label
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
    .slice(0, MAX_KEY_LENGTH)
    .replace(/^_|_$/g, '');
