/** The lines as they stand, trimmed; a blank one stays, so that a line's number in the report is its place in the field. */
export const asTyped = (text: string): string[] =>
  text
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim());

/** The lines that say something: trimmed, blanks dropped. */
export const toLines = (text: string): string[] => asTyped(text).filter(Boolean);
