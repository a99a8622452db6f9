/**
 * Characters that a line of text must not hold: controls and line separators, which break mail headers and CSV rows; marks that turn
 * the reading direction or take no place (bidi embeddings and isolates, zero-width and filler characters, tags), which make a text
 * look like another one.
 */
const UNSEEN =
  '\\p{Cc}\\u00AD\\u061C\\u115F\\u1160\\u180E\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}';

/** One line of text that looks like what it is. */
export const ONE_LINE = new RegExp(`^[^${UNSEEN}]*$`, 'u');
/** What to say of a text that is not; `$property` is the field's name. */
export const ONE_LINE_FAULT = '$property must be one line of text without invisible characters';

/** Line breaks, tabs and joined emoji are text; other control characters (PostgreSQL takes no NUL) and marks that turn the reading direction are not. */
export const MANY_LINES = /^([^\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|[\r\n\t])*$/u;

const UNSEEN_RUN = new RegExp(`[${UNSEEN}]+`, 'gu');
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** A stored text as one line that looks like what it is: rows from before the rule hold anything. */
export function asOneLine(text: string): string {
  return text.replace(BREAKS, ' ').replace(UNSEEN_RUN, '').replace(/ {2,}/g, ' ').trim();
}
