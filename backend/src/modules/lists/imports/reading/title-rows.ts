import { isAddressHeader, isHeaderName } from '../judging/header-names.js';
import type { ImportRecord } from './record-source.js';

/** Rows in which the header is looked for. */
const SEARCHED_ROWS = 10;

/** Drops the titles and notes that exports have above their header row. */
export async function* withoutTitle(
  batches: AsyncIterable<ImportRecord[]>,
): AsyncGenerator<ImportRecord[], void, void> {
  let isFirst = true;
  for await (const batch of batches) {
    yield isFirst ? batch.slice(headerPlace(batch)) : batch;
    isFirst &&= batch.length === 0;
  }
}

/** Index of the header row if only titles are above it; else 0. */
function headerPlace(records: readonly ImportRecord[]): number {
  for (const [place, { cells }] of records.slice(0, SEARCHED_ROWS).entries()) {
    if (cells.length > 1 && cells.some(isAddressHeader)) return place;
    if (cells.some((cell) => cell.includes('@') || (cells.length > 1 && isHeaderName(cell)))) return 0;
  }
  return 0;
}
