import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openSource } from './open-source.js';
import { piecesOf } from './pieces.js';
import type { ImportRecord, RandomAccessPieces } from './record-source.js';

async function read(content: string | Buffer, options = {}) {
  const source = await openSource(typeof content === 'string' ? piecesOf(content) : inSmallPieces(content), options);
  const records: ImportRecord[] = [];
  for await (const batch of source.records()) records.push(...batch);
  await source.close();
  return { source, records };
}
const cellsOf = async (content: string | Buffer, options = {}) =>
  (await read(content, options)).records.map(({ cells }) => cells);
/** A file that gives at most seven bytes at a time, at its beginning. */
const inSmallPieces = (bytes: Buffer): RandomAccessPieces => ({
  size: bytes.length,
  read: async (offset, length) =>
    bytes.subarray(offset, offset + Math.min(length, offset < 4096 && length > 100 ? 7 : length)),
});
/** A file that gives at most `size` bytes at a time when it is read in order. */
const inPieces = (bytes: Buffer, size: number): RandomAccessPieces => ({
  size: bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + (length > 4096 ? Math.min(length, size) : length)),
});
const utf16be = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();

describe('a delimited text', () => {
  it.each([
    [',', 'csv'],
    [';', 'csv'],
    ['|', 'csv'],
    ['\t', 'tsv'],
  ])('is split at its delimiter: %j', async (delimiter, kind) => {
    const { source, records } = await read(`email${delimiter}name\na@b.co${delimiter}Ann\n`);
    expect(source).toMatchObject({ kind, delimiter, encoding: 'utf8', sheets: [] });
    expect(records).toEqual([
      { line: 1, cells: ['email', 'name'] },
      { line: 2, cells: ['a@b.co', 'Ann'] },
    ]);
  });

  it('is read in its encoding', async () => {
    const text = 'email,name\na@b.co,Zoë “Z” Müller €\n';
    const rows = [
      ['email', 'name'],
      ['a@b.co', 'Zoë “Z” Müller €'],
    ];
    const inWindows = Buffer.concat([
      Buffer.from('email,name\na@b.co,Zo\xeb ', 'latin1'),
      Buffer.from([0x93, 0x5a, 0x94, 0x20]),
      Buffer.from('M\xfcller ', 'latin1'),
      Buffer.from([0x80, 0x0a]),
    ]);
    for (const [content, encoding] of [
      [Buffer.from(text), 'utf8'],
      [Buffer.from(`\uFEFF${text}`), 'utf8'],
      [Buffer.from(`\uFEFF${text}`, 'utf16le'), 'utf16le'],
      [utf16be(text), 'utf16be'],
      [inWindows, 'windows1252'],
    ] as const) {
      const { source, records } = await read(content);
      expect(source.encoding).toBe(encoding);
      expect(records.map(({ cells }) => cells)).toEqual(rows);
    }
  });

  it('uses the delimiter that Excel names in a first line "sep="', async () => {
    expect(await read('sep=;\r\nemail;name, all\r\na@b.co;Ann\r\n')).toMatchObject({
      source: { delimiter: ';' },
      records: [
        { line: 2, cells: ['email', 'name, all'] },
        { line: 3, cells: ['a@b.co', 'Ann'] },
      ],
    });
  });

  it('begins at the header row where titles stand above it', async () => {
    expect(
      (await read('Notes:\n"Some, of them are missing"\n\nFirst Name;Email Address\nAnn;a@b.co\n')).records,
    ).toEqual([
      { line: 4, cells: ['First Name', 'Email Address'] },
      { line: 5, cells: ['Ann', 'a@b.co'] },
    ]);
    expect((await read('Vendors,2026\na@b.co,Ann\nEmail,x\n')).records).toHaveLength(3);
  });

  it('keeps line numbers over mixed line ends, blank lines and quoted lines', async () => {
    expect((await read('email,note\r\n\r\na@b.co,"two\nlines"\rb@b.co,x\n,,\nc@b.co')).records).toEqual([
      { line: 1, cells: ['email', 'note'] },
      { line: 3, cells: ['a@b.co', 'two\nlines'] },
      { line: 5, cells: ['b@b.co', 'x'] },
      { line: 7, cells: ['c@b.co'] },
    ]);
  });

  it('returns records beyond its bounds as refused lines', async () => {
    const long = 'x'.repeat(10 * 1024 * 1024);
    const wide = Array.from({ length: 201 }, (_, n) => `c${n}`).join(',');
    const { records } = await read(`email,name\na@b.co,${long}\nb@b.co,${wide}\nc@b.co,"open\nd@b.co,Dan\n`);
    expect(records.map(({ line, refused }) => [line, refused])).toEqual([
      [1, undefined],
      [2, 'too_long'],
      [3, 'too_wide'],
      [4, undefined],
      [5, undefined],
    ]);
    expect(records[1]!.cells[0]).toBe('a@b.co');
    expect(records[1]!.cells.join('').length).toBeLessThanOrEqual(64 * 1024);
    expect(records[2]!.cells).toHaveLength(200);
    expect(records[3]!.cells).toEqual(['c@b.co', '"open']);
  });

  it('refuses files with too many rows', async () => {
    await expect(read('a@b.co\nb@b.co\nc@b.co\n', { limits: { rows: 2 } })).rejects.toMatchObject({
      code: 'file_too_large',
      status: 400,
    });
  });

  it('returns cells that a database can store, whatever bytes it contains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        let rows: string[][];
        try {
          rows = await cellsOf(Buffer.concat([Buffer.from('email,name\na@b.co,'), bytes]));
        } catch (error) {
          expect((error as { code?: string }).code).toBe('file_type');
          return;
        }
        expect(rows.flat().every((cell) => !cell.includes('\0') && cell.isWellFormed())).toBe(true);
        expect(rows[1]![0]).toBe('a@b.co');
      }),
      { numRuns: 300 },
    );
  });

  it('loses its byte order mark', async () => {
    const text = '\uFEFFEmail,Name\n\uFEFF"a@b.co","Zo\u00eb"\n';
    const rows = [
      ['Email', 'Name'],
      ['a@b.co', 'Zo\u00eb'],
    ];
    const damaged = Buffer.concat([Buffer.from('\uFEFFEmail,Name\n'), Buffer.from('"a@b.co",Zo\xeb\n', 'latin1')]);
    for (const content of [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()])
      expect(await cellsOf(content)).toEqual(rows);
    const { source, records } = await read(damaged);
    expect(source.encoding).toBe('windows1252');
    expect(records.map(({ cells }) => cells)).toEqual(rows);
  });

  it('has the line numbers of the file, also where quotes are stray', async () => {
    expect((await read('a@x.example,"Ann\nLee"\n\n"stray,b@x.example\nc@x.example\n')).records).toEqual([
      { line: 1, cells: ['a@x.example', 'Ann\nLee'] },
      { line: 4, cells: ['"stray', 'b@x.example'] },
      { line: 5, cells: ['c@x.example'] },
    ]);
    const quoted = '"a@x.example","Ann"\n"stray,"Bea"\n"c@x.example","Cy ""C"" Hill"\n5" pipe,d@x.example\n';
    expect((await read(quoted)).records.map(({ line, cells }) => [line, ...cells])).toEqual([
      [1, 'a@x.example', 'Ann'],
      [2, '"stray', '"Bea"'],
      [3, 'c@x.example', 'Cy "C" Hill'],
      [4, '5" pipe', 'd@x.example'],
    ]);
    expect((await read('"stray,x\n"b@x.example","Bea"\n')).records.map(({ line }) => line)).toEqual([1, 2]);
  });

  it('has the same records however its bytes arrive, when it is read again, and after a reader stopped early', async () => {
    const line = fc.constantFrom(
      'a@x.example,Ann',
      '"b@x.example","Bea',
      'Lee"',
      '',
      '"stray',
      '\u00e9@x.example;\u00fc',
      '   ',
      '5" pipe,c@x.example',
      '""',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom<(text: string) => Buffer>(
          (text) => Buffer.from(text),
          (text) => Buffer.from(text, 'latin1'),
          (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
          utf16be,
        ),
        async (lines, end, size, encode) => {
          const bytes = encode(lines.join(end));
          const whole = await openSource(inPieces(bytes, Infinity));
          const split = await openSource(inPieces(bytes, size));
          const all = async (from: typeof whole) => {
            const records: ImportRecord[] = [];
            for await (const batch of from.records()) records.push(...batch);
            return records;
          };
          const wanted = await all(whole);
          expect(await all(split)).toEqual(wanted);
          for await (const _batch of split.records()) break;
          expect(await all(split)).toEqual(wanted);
          // The text is the same whatever its encoding.
          expect(wanted).toEqual(await all(await openSource(piecesOf(lines.join(end)))));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('with millions of blank lines returns none of them as a record', async () => {
    const blank = 1024 * 1024;
    const content = Buffer.concat([Buffer.alloc(blank, '\n'), Buffer.from('a@x.example')]);
    const { records } = await read(content.toString());
    expect(records.map(({ line }) => line)).toEqual([blank + 1]);
  });

  it('can be read again', async () => {
    const source = await openSource(piecesOf('email\na@b.co\nb@b.co\n'));
    for (let time = 0; time < 2; time += 1) {
      const lines: number[] = [];
      for await (const batch of source.records()) lines.push(...batch.map(({ line }) => line));
      expect(lines).toEqual([1, 2, 3]);
    }
    expect(source.progress()).toEqual({ done: 20, total: 20 });
  });
});

describe('a file of another kind', () => {
  it.each([
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['a web page called .xls', Buffer.from('<html><table><tr><td>a@b.co</td></tr></table></html>')],
    ['bytes', Buffer.from(Array.from({ length: 500 }, (_, n) => n % 9))],
    ['a broken zip', Buffer.from('PK\x03\x04 and nothing else')],
  ])('is refused with advice: %s', async (_what, content) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'file_type',
      status: 400,
      message: expect.stringContaining('Save it as .xlsx or CSV.'),
    });
  });
});
