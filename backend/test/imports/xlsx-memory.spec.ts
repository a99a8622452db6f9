import { expect, it, jest } from '@jest/globals';
import { open } from 'node:fs/promises';
import { workbookOf } from '../kit/workbooks.js';
import { openSource } from '../../src/modules/lists/imports/reading/open-source.js';
import { piecesOf } from '../../src/modules/lists/imports/reading/pieces.js';
import { BATCH_RECORDS } from '../../src/modules/lists/imports/reading/record-source.js';

const COLUMNS = 5;
const KB = 1024;
/** Maximum size of the packed data that the archive's stream, the parser and a batch hold, in bytes. */
const AHEAD_BYTES = 1024 * KB;
/** Maximum size of the strings that wait to be written, including those of the piece being parsed, in bytes. */
const WAITING_BYTES = 2 * 256 * KB;

function* rowsOf(count: number): Generator<string[], void, void> {
  for (let row = 0; row < count; row += 1)
    yield Array.from({ length: COLUMNS }, (_, column) => `person${row}.column${column}@company${row % 997}.example`);
}

/** The maximum memory that is held at one time while a workbook is read. */
async function heldOf(rows: number) {
  const file = await workbookOf([{ name: 'People', rows: rowsOf(rows) }]);
  const stored = piecesOf(file);
  let [fetched, ahead, batch] = [0, 0, 0];
  const source = await openSource({
    size: stored.size,
    read: (offset, length) => {
      fetched += length;
      return stored.read(offset, length);
    },
  });
  const written = await appendsDuring(async () => {
    let read = 0;
    for await (const records of source.records()) {
      batch = Math.max(batch, records.length);
      if (records.length === 0) continue;
      const before = fetched;
      read += records.length;
      // A reader that does not wait for its consumer would read on here.
      for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done));
      ahead = Math.max(ahead, fetched - before);
    }
    expect(read).toBe(rows);
  });
  await source.close();
  return { ahead, batch, written };
}

/** Bytes of each write to a file during `work`. */
async function appendsDuring(work: () => Promise<void>): Promise<number[]> {
  const handle = await open('/dev/null');
  const append = jest.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'appendFile');
  await handle.close();
  try {
    await work();
    return append.mock.calls.map(([bytes]) => (bytes as Buffer).length);
  } finally {
    append.mockRestore();
  }
}

// `npm run bench -- --only import` measures the memory itself.
it('reading a workbook of 100,000 rows uses no more memory than one of 10,000', async () => {
  for (const rows of [10_000, 100_000]) {
    const { ahead, batch, written } = await heldOf(rows);
    expect(batch).toBe(BATCH_RECORDS);
    expect(ahead).toBeLessThanOrEqual(AHEAD_BYTES);
    // All shared strings are written to the file, in small parts.
    const text = [...rowsOf(rows)].flat().join('').length;
    expect(written.reduce((sum, bytes) => sum + bytes, 0)).toBe(text);
    expect(Math.max(...written)).toBeLessThanOrEqual(WAITING_BYTES);
  }
}, 600_000);
