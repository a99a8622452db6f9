/** The lines that say something: trimmed, blanks dropped. */
export const toLines = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter(Boolean);
