import type { TextDecoder } from 'node:util';
import { delimitedRecords, MAX_JOINED_LINES, MAX_LINE_LENGTH } from '../reading/delimited-records.js';
import { markedEncoding, unicodeDecoder } from '../reading/text-encoding.js';

/** Maximum number of columns: more than any contact export has. A first line with more is not a header row. */
export const MAX_COLUMNS = 1_000;

const LINE_END = /\r\n|\r|\n/;

/**
 * Counts the columns of a file's first record during the upload, by the rules of its reader, so that a file that is too
 * wide is refused before it is stored. Keeps in memory only the lines that the record can span.
 */
export class FirstLineWidth {
  private head: Uint8Array = new Uint8Array();
  private decoder?: TextDecoder;
  private text = '';
  private isDone = false;

  /** Takes the next piece of the file. @returns false once the first record is known to exceed MAX_COLUMNS */
  async take(piece: Uint8Array): Promise<boolean> {
    if (this.isDone) return true;
    let bytes = piece;
    if (!this.decoder) {
      bytes = this.head = Buffer.concat([this.head, piece]);
      if (bytes.length < 2) return true;
      this.decoder = unicodeDecoder(markedEncoding(bytes) ?? 'utf8');
    }
    this.text += this.decoder.decode(bytes, { stream: true });
    this.dropBlankLines();
    return this.isWhole() ? this.judge() : true;
  }

  /** Call at the end of the file. @returns false if the first record has more columns than MAX_COLUMNS */
  async end(): Promise<boolean> {
    return this.isDone || this.judge();
  }

  private dropBlankLines(): void {
    for (
      let end = LINE_END.exec(this.text);
      end && !this.text.slice(0, end.index).trim();
      end = LINE_END.exec(this.text)
    )
      this.text = this.text.slice(end.index + end[0].length);
    if (this.text.length > MAX_LINE_LENGTH && !this.text.trim()) this.text = ' ';
  }

  /** Whether further input can no longer change the first record. */
  private isWhole(): boolean {
    const end = LINE_END.exec(this.text)?.index;
    if ((end ?? this.text.length) > MAX_LINE_LENGTH) return true;
    if (end === undefined) return false;
    if (!this.text.slice(0, end).includes('"')) return true;
    return (
      this.text.length > 2 * MAX_LINE_LENGTH ||
      this.text.split(LINE_END, MAX_JOINED_LINES + 1).length > MAX_JOINED_LINES
    );
  }

  private async judge(): Promise<boolean> {
    const lines = this.text.split(LINE_END, MAX_JOINED_LINES);
    this.isDone = true;
    this.text = '';
    for await (const { cells } of delimitedRecords(each(lines))) return cells.length <= MAX_COLUMNS;
    return true;
  }
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
