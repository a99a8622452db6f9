import { expect, it } from '@jest/globals';
import { setImmediate as nextTask } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { workbookOf } from '../kit/workbooks.js';
import { openSource } from '../../src/modules/lists/imports/reading/open-source.js';
import { piecesOf } from '../../src/modules/lists/imports/reading/pieces.js';

const COLUMNS = 5;
const MB = 1024 * 1024;
/** Batches between two measurements. */
const EACH = 200;

function* rowsOf(count: number): Generator<string[], void, void> {
  for (let row = 0; row < count; row += 1)
    yield Array.from({ length: COLUMNS }, (_, column) => `person${row}.column${column}@company${row % 997}.example`);
}

/** Largest live memory in bytes while a workbook is read, without the file itself. */
async function peakOf(rows: number, live: () => Promise<number>): Promise<{ peak: number; read: number }> {
  const file = await workbookOf([{ name: 'People', rows: rowsOf(rows) }]);
  const source = await openSource(piecesOf(file));
  let [peak, read, batches] = [0, 0, 0];
  for await (const batch of source.records()) {
    read += batch.length;
    // Seldom: each collects the memory of all that this process has loaded.
    if (batches++ % EACH === 5) peak = Math.max(peak, (await live()) - file.length);
  }
  await source.close();
  return { peak, read };
}

it('reads 200,000 rows of a workbook in the memory of 10,000', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const live = async () => {
    collect();
    // Buffers are freed after the collection that finds them.
    await nextTask();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const small = await peakOf(10_000, live);
  const large = await peakOf(200_000, live);
  expect([small.read, large.read]).toEqual([10_000, 200_000]);
  // Kept in memory, a million shared strings of 45 characters take 60 MB and more.
  expect(large.peak - small.peak).toBeLessThan(24 * MB);
  expect(large.peak / small.peak).toBeLessThan(1.25);
}, 600_000);
