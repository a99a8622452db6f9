/**
 * Characters that must not occur in a single-line text: control characters and line separators, which break mail
 * headers and CSV rows, and invisible or direction-changing characters (bidi marks, zero-width and filler characters,
 * tags), which disguise a text.
 */
const INVISIBLE =
  '\\p{Cc}\\u00AD\\u061C\\u115F\\u1160\\u180E\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}';

/** Matches one line of visible text. */
export const ONE_LINE = new RegExp(`^[^${INVISIBLE}]*$`, 'u');
/** Validation message for texts that ONE_LINE does not match. `$property` stands for the field's name. */
export const ONE_LINE_FAULT = '$property must be one line of text without invisible characters';

/**
 * Matches multi-line text. Allows line breaks, tabs and joined emoji; refuses other control characters (PostgreSQL does
 * not store NUL) and direction marks.
 */
export const MANY_LINES = /^([^\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|[\r\n\t])*$/u;

/**
 * Matches a text that cannot end a mail header: no ASCII control characters, no line or paragraph separators. Unlike
 * ONE_LINE, it allows the invisible characters that join emoji.
 */
export const HEADER_LINE = /^[^\u0000-\u001f\u007f\u0085\u2028\u2029]*$/;

const INVISIBLE_RUN = new RegExp(`[${INVISIBLE}]+`, 'gu');
const NOT_IN_HEADERS = /[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g;
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** Turns a stored text into one visible line. Rows that are older than the validation may contain any characters. */
export function asOneLine(text: string): string {
  return text.replace(BREAKS, ' ').replace(INVISIBLE_RUN, '').replace(/ {2,}/g, ' ').trim();
}

/**
 * Turns a subject into a single header line. Values of contacts, and subjects that are older than the validation, may
 * have line breaks, which would end the header.
 */
export function asHeaderLine(subject: string): string {
  return subject.replace(NOT_IN_HEADERS, ' ');
}
