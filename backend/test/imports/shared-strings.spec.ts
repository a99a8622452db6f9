import { describe, expect, it, jest } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { type CellValue, workbookOf } from '../kit/workbooks.js';
import { openSource, type SourceOptions } from '../../src/modules/lists/imports/reading/open-source.js';
import { piecesOf } from '../../src/modules/lists/imports/reading/pieces.js';
import { READING_LIMITS } from '../../src/modules/lists/imports/reading/record-source.js';
import { SharedStrings } from '../../src/modules/lists/imports/reading/xlsx/shared-strings.js';
import { sheetRows } from '../../src/modules/lists/imports/reading/xlsx/sheet-rows.js';

const TOO_LARGE = { code: 'file_too_large', status: 400, message: 'This file unpacks to more than we read.' };
const MB = 1024 * 1024;
/** Size of the pages in which the index is allocated. The index has four bytes per string. */
const PAGE_BYTES = 256 * 1024;
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

/** Number of shared strings that are read before a row is refused. Each of its `cells` cells contains `text`. */
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

/** Bytes of the binary data within an object. */
function bytesHeldBy(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  const parts = value instanceof Map ? [...value.values()] : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + bytesHeldBy(part), 0);
}

describe('the shared strings of a workbook', () => {
  it('are refused where so many rows contain them that the records exceed the limit', async () => {
    const bomb = function* (): Generator<CellValue[], void, void> {
      for (let row = 0; row < 1_000; row += 1) yield ['x'.repeat(60_000)];
    };
    const file = await workbookOf([{ name: 'People', rows: bomb() }]);
    await expect(read(file, { limits: { unpackedBytes: 8 * MB } })).rejects.toMatchObject(TOO_LARGE);
    expect(await read(file, { limits: { unpackedBytes: 61 * MB } })).toBe(1_000);
  });

  it('are not read for a record that is already refused', async () => {
    expect(await askedBy(10_000, 'x'.repeat(65_000))).toBe(2);
    expect(await askedBy(10_000, 'x')).toBe(READING_LIMITS.columns + 1);
  });

  it('are refused where there are too many', async () => {
    const file = await withStrings(`<sst>${'<si/>'.repeat(1_001)}</sst>`);
    await expect(read(file, { limits: { sharedStrings: 1_000 } })).rejects.toMatchObject(TOO_LARGE);
    expect(await read(file, { limits: { sharedStrings: 1_001 } })).toBe(0);
  });

  it('take four bytes each where they are empty', async () => {
    const COUNT = 1_000_000;
    const xml = async function* () {
      yield Buffer.from('<sst>');
      for (let part = 0; part < 20; part += 1) yield Buffer.from('<si/>'.repeat(COUNT / 20));
      yield Buffer.from('</sst>');
    };
    const joined = jest.spyOn(Buffer, 'concat');
    const spill = SharedStrings.spill(xml(), READING_LIMITS);
    let [step, steps] = [await spill.next(), 1];
    for (; !step.done; step = await spill.next()) steps += 1;
    const strings = step.value;
    // Empty strings are not collected for writing.
    expect(joined).not.toHaveBeenCalled();
    joined.mockRestore();
    expect(strings.get(COUNT - 1)).toBe('');
    expect(bytesHeldBy(strings)).toBeLessThanOrEqual(4 * COUNT + PAGE_BYTES);
    await strings.close();
    // The reader yields in between, so that it can work on another file.
    expect(steps).toBeGreaterThan(20);
  });

  it('are written to a file thousands at a time, and read back by a few blocks', async () => {
    const COUNT = 400_000;
    const each = 1_000;
    const xml = async function* () {
      yield Buffer.from('<sst>');
      for (let part = 0; part < COUNT / each; part += 1)
        yield Buffer.from('<si><t>a text of some twenty</t></si>'.repeat(each));
      yield Buffer.from('</sst>');
    };
    const joined = jest.spyOn(Buffer, 'concat');
    const spill = SharedStrings.spill(xml(), READING_LIMITS);
    let step = await spill.next();
    while (!step.done) step = await spill.next();
    const strings = step.value;
    expect(Math.max(...joined.mock.calls.map(([texts]) => texts.length))).toBeLessThanOrEqual(4_096 + each);
    joined.mockRestore();
    for (let index = 0; index < COUNT; index += 100) expect(strings.get(index)).toBe('a text of some twenty');
    // The cache consists of 128 blocks of 32 KB.
    expect(bytesHeldBy(strings)).toBeLessThanOrEqual(4 * COUNT + PAGE_BYTES + 4 * MB);
    await strings.close();
  });

  it('leave no open file where they are damaged', async () => {
    const file = await withStrings(`<sst>${'<si><t>text</t></si>'.repeat(1_000)}</wrong>`);
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let tries = 0; tries < 20; tries += 1) await expect(read(file)).rejects.toMatchObject({ code: 'file_type' });
    expect(open()).toBeLessThan(before + 10);
  });
});
