import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SheetContent, workbookOf, zipOf } from '../kit/workbooks.js';
import { openSource, type SourceOptions } from '../../src/modules/lists/imports/reading/open-source.js';
import { piecesOf } from '../../src/modules/lists/imports/reading/pieces.js';
import type { ImportRecord } from '../../src/modules/lists/imports/reading/record-source.js';

async function read(file: Buffer, options: SourceOptions & { sheet?: number } = {}): Promise<ImportRecord[]> {
  const source = await openSource(piecesOf(file), options);
  try {
    const records: ImportRecord[] = [];
    for await (const batch of source.records(options.sheet)) records.push(...batch);
    return records;
  } finally {
    await source.close();
  }
}
const sheet = (rows: SheetContent['rows'], more: Partial<SheetContent> = {}): SheetContent => ({
  name: 'Sheet1',
  rows,
  ...more,
});
const cell = (attributes: string, content: string) => ({ xml: `<c ${attributes}>${content}</c>` });

describe('a workbook', () => {
  it.each(['shared', 'inline'] as const)('gives its rows: %s texts', async (texts) => {
    const rows = [['Email', 'Name', 'Rate'], ['a@b.co', 'Zoë <Müller> & Söhne', 80.5], [], ['c@d.co', '', 15551234567]];
    expect(await read(await workbookOf([sheet(rows)], { texts }))).toEqual([
      { line: 1, cells: ['Email', 'Name', 'Rate'] },
      { line: 2, cells: ['a@b.co', 'Zoë <Müller> & Söhne', '80.5'] },
      { line: 4, cells: ['c@d.co', '', '15551234567'] },
    ]);
  });

  it('returns values of formulas, rich texts, booleans and dates, and empty cells for errors', async () => {
    const row = [
      cell('t="str"', '<f>A1&amp;"x"</f><v>a@b.co</v>'),
      cell('', '<f>1+1</f><v>2</v>'),
      cell('t="e"', '<v>#REF!</v>'),
      cell('t="b"', '<v>1</v>'),
      cell('t="inlineStr"', '<is><r><t>Ann </t></r><r><t>Lee</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is>'),
      cell('s="1"', '<v>45983</v>'),
      cell('s="1"', '<v>45983.604166666664</v>'),
      cell('s="2"', '<v>12.5</v>'),
      cell('', '<v>0.30000000000000004</v>'),
      cell('', '<v>1.5551234567E10</v>'),
      cell('t="s"', '<v>99</v>'),
      cell('t="inlineStr"', '<is><t>=cmd()</t></is>'),
    ];
    const file = await workbookOf([sheet([row])], { formats: ['m/d/yyyy', '#,##0.00 "days"'] });
    expect(await read(file)).toEqual([
      {
        line: 1,
        cells: [
          'a@b.co',
          '2',
          '',
          'TRUE',
          'Ann Lee',
          '2025-11-22',
          '2025-11-22 14:30',
          '12.5',
          '0.3',
          '15551234567',
          '',
          '=cmd()',
        ],
      },
    ]);
    const from1904 = await workbookOf([sheet([[cell('s="1"', '<v>44521</v>')]])], {
      formats: ['yyyy-mm-dd'],
      date1904: true,
    });
    expect(await read(from1904)).toEqual([{ line: 1, cells: ['2025-11-22'] }]);
  });

  it('lists its visible sheets and reads the chosen one', async () => {
    const file = await workbookOf([
      sheet([['secret@b.co']], { name: 'Hidden', state: 'hidden' }),
      sheet([['a@b.co']], { name: 'People' }),
      sheet([['secret@b.co']], { name: 'Deep', state: 'veryHidden' }),
      sheet([['c@d.co']], { name: 'More <&>' }),
    ]);
    const source = await openSource(piecesOf(file));
    expect(source).toMatchObject({ kind: 'xlsx', encoding: null, uses1904: false });
    expect(source.sheets).toEqual([
      { index: 1, name: 'People' },
      { index: 3, name: 'More <&>' },
    ]);
    await source.close();
    expect(await read(file)).toEqual([{ line: 1, cells: ['a@b.co'] }]);
    expect(await read(file, { sheet: 3 })).toEqual([{ line: 1, cells: ['c@d.co'] }]);
    expect(await read(file, { sheet: 0 })).toEqual([{ line: 1, cells: ['a@b.co'] }]);
  });

  it('returns records beyond its bounds as refused lines', async () => {
    const rows = [
      ['a@b.co', 'x'.repeat(200_000)],
      ['b@b.co', ...Array.from({ length: 205 }, (_, n) => `c${n}`)],
      [cell('', '<v>1</v>'), 'c@b.co'],
    ];
    const records = await read(await workbookOf([sheet(rows)]));
    expect(records.map(({ line, refused }) => [line, refused])).toEqual([
      [1, 'too_long'],
      [2, 'too_wide'],
      [3, undefined],
    ]);
    expect(records[1]!.cells).toHaveLength(200);
  });

  it('leaves no temporary file', async () => {
    const tempDir = mkdtempSync(join(tmpdir(), 'spec-'));
    await read(await workbookOf([sheet([['a@b.co', 'Ann']])]), { tempDir });
    expect(readdirSync(tempDir)).toEqual([]);
    rmSync(tempDir, { recursive: true });
  });
});

describe('a hostile workbook', () => {
  const NOT_READ = { code: 'file_type', status: 400, message: expect.stringContaining('Save it as .xlsx or CSV.') };
  const TOO_LARGE = { code: 'file_too_large', status: 400, message: 'This file unpacks to more than we read.' };
  const rows = [['a@b.co']];
  const inSheet = (xml: string) => workbookOf([sheet(rows)], { parts: { 'xl/worksheets/sheet1.xml': xml } });

  it.each<[string, () => Promise<Buffer>]>([
    [
      'external entities',
      () =>
        inSheet(
          '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="inlineStr"><is><t>&e;</t></is></c></row></sheetData></worksheet>',
        ),
    ],
    [
      'billion laughs',
      () =>
        inSheet(
          `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n} "${`&a${n || ''};`.repeat(10)}">`).join('')}]><worksheet><sheetData><row><c t="inlineStr"><is><t>&a19;</t></is></c></row></sheetData></worksheet>`,
        ),
    ],
    [
      'entities in the shared strings',
      () =>
        workbookOf([sheet(rows)], {
          parts: { 'xl/sharedStrings.xml': '<!DOCTYPE x [<!ENTITY e "x">]><sst><si><t>&e;</t></si></sst>' },
        }),
    ],
    [
      'an entity that nobody declared',
      () => inSheet('<worksheet><sheetData><row><c><v>&x;</v></c></row></sheetData></worksheet>'),
    ],
    ['broken XML', () => inSheet('<worksheet><sheetData><row><c></row>')],
    ['a zip that is no workbook', () => zipOf({ 'readme.txt': 'hello' })],
    [
      'an OpenDocument sheet',
      () => zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }),
    ],
    [
      'names that lead out of the archive',
      async () => {
        const file = await zipOf({ 'xl/workbook.xml': '<workbook/>', 'aa/aa/etc/passwd': 'x' });
        return Buffer.from(file.toString('latin1').replaceAll('aa/aa/etc', '../../etc'), 'latin1');
      },
    ],
    ['sheets that are all hidden', () => workbookOf([sheet(rows, { state: 'hidden' })])],
    ['half an archive', async () => (await workbookOf([sheet(rows)])).subarray(0, 700)],
  ])('is refused: %s', async (_what, make) => {
    await expect(make().then(read)).rejects.toMatchObject(NOT_READ);
  });

  it('is refused where it unpacks to more than the limit', async () => {
    const bomb = await inSheet(`<worksheet><sheetData>${' '.repeat(64 * 1024 * 1024)}</sheetData></worksheet>`);
    expect(bomb.length).toBeLessThan(200_000);
    await expect(read(bomb)).rejects.toMatchObject(TOO_LARGE);
    const large = await workbookOf([sheet(Array.from({ length: 1000 }, (_, n) => [`p${n}@b.co`]))]);
    await expect(read(large, { limits: { unpackedBytes: 20_000 } })).rejects.toMatchObject(TOO_LARGE);
    await expect(read(large, { limits: { rows: 999 } })).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('is refused where a part is longer than the archive declares', async () => {
    const file = await inSheet(`<worksheet><sheetData>${'<row/>'.repeat(200_000)}</sheetData></worksheet>`);
    // The unpacked size is stored in the central directory and, for streamed parts, also after the data.
    const size = Buffer.alloc(4);
    size.writeUInt32LE('<worksheet><sheetData></sheetData></worksheet>'.length + 200_000 * 6);
    const wrong = Buffer.alloc(4);
    wrong.writeUInt32LE(1000);
    const lying = Buffer.from(file);
    for (let at = lying.indexOf(size); at >= 0; at = lying.indexOf(size, at + 4)) wrong.copy(lying, at);
    await expect(read(lying)).rejects.toMatchObject(TOO_LARGE);
  });

  it('passes on an error of the storage', async () => {
    const file = await workbookOf([sheet(rows)]);
    const gone = new Error('connection lost');
    const source = openSource({
      size: file.length,
      read: (at) => (at < 100 ? Promise.resolve(file.subarray(at, at + 4096)) : Promise.reject(gone)),
    });
    await expect(source).rejects.toBe(gone);
  });
});
