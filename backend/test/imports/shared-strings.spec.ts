import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type CellValue, workbookOf } from '../kit/workbooks.js';
import { openSource, type SourceOptions } from '../../src/modules/lists/imports/reading/open-source.js';
import { piecesOf } from '../../src/modules/lists/imports/reading/pieces.js';
import { READING_LIMITS } from '../../src/modules/lists/imports/reading/record-source.js';
import { SharedStrings } from '../../src/modules/lists/imports/reading/xlsx/shared-strings.js';
import { sheetRows } from '../../src/modules/lists/imports/reading/xlsx/sheet-rows.js';

const TOO_LARGE = { code: 'file_too_large', status: 400, message: 'This file unpacks to more than we read.' };
const MB = 1024 * 1024;
const rows = [['a@b.co']];
const withStrings = (xml: string) => workbookOf([{ name: 'People', rows }], { parts: { 'xl/sharedStrings.xml': xml } });

async function read(file: Buffer, options: SourceOptions = {}): Promise<number> {
  const source = await openSource(piecesOf(file), options);
  try {
    let count = 0;
    for await (const batch of source.records()) count += batch.length;
    return count;
  } finally {
    await source.close();
  }
}

/** Texts of shared strings that one row of such cells asks for. */
async function askedBy(cells: number, text: string): Promise<number> {
  let asked = 0;
  const xml = `<worksheet><sheetData><row r="1">${'<c t="s"><v>0</v></c>'.repeat(cells)}</row></sheetData></worksheet>`;
  const context = {
    sharedString: () => {
      asked += 1;
      return text;
    },
    dateStyles: [],
    uses1904: false,
  };
  const pieces = async function* () {
    yield Buffer.from(xml);
  };
  for await (const [record] of sheetRows(pieces(), context, READING_LIMITS))
    expect(record).toMatchObject({ line: 1, refused: expect.stringMatching(/^too_(long|wide)$/) });
  return asked;
}

describe('the shared strings of a workbook', () => {
  it('are refused where they stand in so many rows that the records exceed what is read', async () => {
    const bomb = function* (): Generator<CellValue[], void, void> {
      for (let row = 0; row < 1_000; row += 1) yield ['x'.repeat(60_000)];
    };
    const file = await workbookOf([{ name: 'People', rows: bomb() }]);
    await expect(read(file, { limits: { unpackedBytes: 8 * MB } })).rejects.toMatchObject(TOO_LARGE);
    expect(await read(file, { limits: { unpackedBytes: 61 * MB } })).toBe(1_000);
  });

  it('are not read for a record that is refused already', async () => {
    expect(await askedBy(10_000, 'x'.repeat(65_000))).toBe(2);
    expect(await askedBy(10_000, 'x')).toBe(READING_LIMITS.columns + 1);
  });

  it('are refused where they are too many', async () => {
    const file = await withStrings(`<sst>${'<si/>'.repeat(1_001)}</sst>`);
    await expect(read(file, { limits: { sharedStrings: 1_000 } })).rejects.toMatchObject(TOO_LARGE);
    expect(await read(file, { limits: { sharedStrings: 1_001 } })).toBe(0);
  });

  it('take little memory where they are empty', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const live = () => {
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    let peak = -Infinity;
    // What earlier tests of this process left is collected in several turns.
    let before = live();
    for (let last = Infinity; last - before > MB; await pause(50)) [last, before] = [before, live()];
    const xml = async function* () {
      yield Buffer.from('<sst>');
      for (let part = 0; part < 20; part += 1) {
        yield Buffer.from('<si/>'.repeat(50_000));
        if (part % 5 === 4) peak = Math.max(peak, live() - before);
      }
      yield Buffer.from('</sst>');
    };
    const spill = SharedStrings.spill(xml(), READING_LIMITS);
    let [step, steps] = [await spill.next(), 1];
    for (; !step.done; step = await spill.next()) steps += 1;
    expect(step.value.get(999_999)).toBe('');
    await step.value.close();
    // Whoever reads can turn to another file in between.
    expect(steps).toBeGreaterThan(20);
    // Four bytes each are 4 MB; a buffer object each is more than 70 MB.
    expect(peak).toBeLessThan(40 * MB);
  });

  it('leave no open file where they are damaged', async () => {
    const file = await withStrings(`<sst>${'<si><t>text</t></si>'.repeat(1_000)}</wrong>`);
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let tries = 0; tries < 20; tries += 1) await expect(read(file)).rejects.toMatchObject({ code: 'file_type' });
    expect(open()).toBeLessThan(before + 10);
  });
});
