/**
 * Characters that single-line text must not contain: control characters and line separators, which break mail headers
 * and CSV rows, and invisible or direction-changing characters (bidi marks, zero-width and filler characters, tags),
 * which disguise a text.
 */
const INVISIBLE =
  '\\p{Cc}\\u00AD\\u061C\\u115F\\u1160\\u180E\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}';

/** One visible line of text. */
export const ONE_LINE = new RegExp(`^[^${INVISIBLE}]*$`, 'u');
/** Validation message for other text; `$property` is the field's name. */
export const ONE_LINE_FAULT = '$property must be one line of text without invisible characters';

/**
 * Multi-line text: allows line breaks, tabs and joined emoji; refuses other control characters (PostgreSQL takes no
 * NUL) and direction marks.
 */
export const MANY_LINES = /^([^\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|[\r\n\t])*$/u;

const INVISIBLE_RUN = new RegExp(`[${INVISIBLE}]+`, 'gu');
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** A stored text as one visible line; rows older than the validation may hold anything. */
export function asOneLine(text: string): string {
  return text.replace(BREAKS, ' ').replace(INVISIBLE_RUN, '').replace(/ {2,}/g, ' ').trim();
}
