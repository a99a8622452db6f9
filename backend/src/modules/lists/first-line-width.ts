import { DELIMITERS } from './import-lines.js';

/** More columns than any contact export has; a first line with more is no header row. */
export const MAX_COLUMNS = 1_000;

const [LF, CR, QUOTE, SPACE] = [10, 13, 34, 32];
const DELIMITER_BYTES = DELIMITERS.map((delimiter) => delimiter.charCodeAt(0));

/**
 * Counts the columns of a file's first line that is not blank while the file comes in, without building anything from it. Works on the
 * bytes of UTF-8 and UTF-16 alike: the second byte of each UTF-16 unit is 0 there.
 */
export class FirstLineWidth {
  private readonly counts = DELIMITER_BYTES.map(() => 0);
  private isQuoted = false;
  private isBlank = true;
  private isDone = false;

  /** @returns false once the first line has more columns than MAX_COLUMNS, whichever delimiter cuts it */
  take(piece: Uint8Array): boolean {
    for (let at = 0; at < piece.length && !this.isDone; at += 1) this.read(piece[at]!);
    return this.counts.every((count) => count < MAX_COLUMNS);
  }

  private read(byte: number): void {
    if (byte === LF || byte === CR) {
      // Quoted or not, a header row is one line.
      if (!this.isBlank) this.isDone = true;
      return;
    }
    if (byte === QUOTE) this.isQuoted = !this.isQuoted;
    if (byte > SPACE) this.isBlank = false;
    if (this.isQuoted) return;
    const delimiter = DELIMITER_BYTES.indexOf(byte);
    if (delimiter < 0) return;
    this.isBlank = false;
    this.counts[delimiter]! += 1;
    if (this.counts[delimiter]! >= MAX_COLUMNS) this.isDone = true;
  }
}
