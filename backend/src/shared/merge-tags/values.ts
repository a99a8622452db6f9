import { fillPieces, LIST_NAME, type Piece, type TagPiece } from './pieces.js';

/** Longest value of a tag in the parts, in the subject, and longest filled subject; in UTF-16 units. */
export const MAX_VALUE_LENGTH = 200;
export const MAX_SUBJECT_VALUE = 100;
export const MAX_SUBJECT = 255;

/** The values of one recipient's tags, cleaned. A tag without one takes its fallback. */
export interface TagValues {
  get(tag: string): string | undefined;
  has(tag: string): boolean;
}
export const NO_VALUES: TagValues = new Map<string, string>();

const CLEAN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
/** Like CLEAN, with letters of other Latin scripts, of which most names consist. */
const CLEAN_LATIN = /^[\x21-\x7e\u00c0-\u024f]+(?: [\x21-\x7e\u00c0-\u024f]+)*$/;
/** Control characters other than white space, private-use and bidirectional characters, halves of pairs. */
const UNWANTED =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Co}\p{Cs}]+/gu;
const BLANKS = /[\s\u0085]+/g;

/**
 * A value as one line of at most `max` characters, without control characters, runs of blanks, and blanks at its ends.
 */
export function cleanValue(value: string, max = MAX_VALUE_LENGTH): string {
  if (value.length <= max && (CLEAN.test(value) || CLEAN_LATIN.test(value))) return value;
  // Ten times the length covers any sensible run of blanks, and bounds the work for a value of megabytes.
  return cutValue(
    value
      .slice(0, max * 10)
      .replace(UNWANTED, '')
      .replace(BLANKS, ' ')
      .trim(),
    max,
  );
}

/** Cuts a cleaned value between characters. */
export function cutValue(value: string, max: number): string {
  if (value.length <= max) return value;
  const last = value.charCodeAt(max - 1);
  return value.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max).trimEnd();
}

/** The text that replaces a tag for a recipient. */
export const valueOf = ({ tag, fallback }: TagPiece, values: TagValues): string => values.get(tag) || fallback || '';

/** The subject for a recipient, cut to the maximum length of a subject. */
export function filledSubject(subject: readonly Piece[], values: TagValues, listName = ''): string {
  const filled = fillPieces(subject, (tag) => {
    const listValue = tag.tag === LIST_NAME && listName !== '' ? cleanValue(listName) : '';
    const value = listValue || valueOf(tag, values);
    return cutValue(value, MAX_SUBJECT_VALUE);
  });
  return cutValue(filled.trim(), MAX_SUBJECT);
}

/** Longest key of a custom field. */
const MAX_KEY_LENGTH = 54;

/**
 * The key of a custom field, for `{{field.key}}`, from the label of its column: `Visa status` becomes visa_status.
 * Empty where the label has no letters or digits.
 */
export const fieldKey = (label: string): string =>
  label
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
    .slice(0, MAX_KEY_LENGTH)
    .replace(/^_|_$/g, '');
