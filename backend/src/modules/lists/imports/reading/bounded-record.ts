import { storableText } from '../../../../shared/database/queries/storable-text.js';
import type { ImportRecord, ReadingLimits } from './record-source.js';

/** Replaces a NUL in a file, because removing it could turn an invalid address into a valid one. */
const REPLACEMENT = '\uFFFD';

/** A record within the reader's limits. @returns undefined if all cells of the record are blank */
export function boundedRecord(
  line: number,
  given: readonly string[],
  limits: ReadingLimits,
  isCut = false,
): ImportRecord | undefined {
  let width = given.length;
  while (width > 0 && given[width - 1] === '') width -= 1;
  if (width === 0 && !isCut) return undefined;
  const cells: string[] = [];
  let length = 0;
  for (let column = 0; column < Math.min(width, limits.columns); column += 1) {
    const cell = storable(given[column]!);
    const room = Math.max(0, limits.recordLength - length);
    cells.push(cell.length > room ? storableText(cell, room) : cell);
    length += cell.length;
  }
  if (isCut || length > limits.recordLength) return { line, cells, refused: 'too_long' };
  return width > limits.columns ? { line, cells, refused: 'too_wide' } : { line, cells };
}

const storable = (cell: string): string =>
  (cell.includes('\0') ? cell.replaceAll('\0', REPLACEMENT) : cell).toWellFormed();
