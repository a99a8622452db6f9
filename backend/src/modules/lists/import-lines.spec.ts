import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readerOf, readLine } from './import-columns.js';
import { fileLines, recordsFrom } from './import-file.js';
import { delimiterOf, importRecords, splitCells } from './import-lines.js';

async function* physicalLines(pieces: AsyncIterable<Uint8Array>) {
  for await (const { text } of fileLines(pieces)) yield text;
}

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function records(text: string | Buffer, size = 7) {
  const found = [];
  for await (const record of importRecords(physicalLines(inPieces(Buffer.from(text as string), size)))) found.push(record);
  return found;
}

describe('lines of an import', () => {
  it('come out the same however the bytes are cut', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n"\uFEFF\p{Cs}]/gu, '').trim());
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), fc.constantFrom('\n', '\r\n', '\r'), fc.integer({ min: 1, max: 9 }), async (lines, end, size) => {
        const found = [];
        for await (const text of physicalLines(inPieces(Buffer.from(lines.join(end)), size))) found.push(text);
        while (found.at(-1) === '') found.pop();
        const wanted = [...lines];
        while (wanted.at(-1) === '') wanted.pop();
        expect(found).toEqual(wanted);
      }),
      { numRuns: 200 },
    );
  });

  it('read back what a CSV writer quotes', async () => {
    const cell = fc.string({ maxLength: 10 }).map((text) => text.replace(/[\r\n]/g, '').trim());
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
        expect(splitCells(cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(','), ',')).toEqual(cells.map((text) => text.trim()));
      }),
    );
  });

  it('keep their numbers over blank lines, joined cells and stray quotes', async () => {
    const found = await records('a@x.example,"Ann\nLee"\n\n"stray,b@x.example\nc@x.example\n');
    expect(found).toEqual([
      { line: 1, cells: ['a@x.example', 'Ann\nLee'] },
      { line: 4, cells: ['"stray', 'b@x.example'] },
      { line: 5, cells: ['c@x.example'] },
    ]);
  });

  it('lose one line to a stray quote, also where every cell is quoted', async () => {
    const found = await records('"a@x.example","Ann"\n"stray,"Bea"\n"c@x.example","Cy ""C"" Hill"\n5" pipe,d@x.example\n"e@x.example" , Eve\n');
    expect(found).toEqual([
      { line: 1, cells: ['a@x.example', 'Ann'] },
      { line: 2, cells: ['"stray', '"Bea"'] },
      { line: 3, cells: ['c@x.example', 'Cy "C" Hill'] },
      { line: 4, cells: ['5" pipe', 'd@x.example'] },
      { line: 5, cells: ['e@x.example', 'Eve'] },
    ]);
    expect((await records('"stray,x\n"b@x.example","Bea"\n')).map(({ line }) => line)).toEqual([1, 2]);
  });

  it('are cut at the delimiter that the first one uses most', () => {
    expect(['a,b', 'a;"b,c,d"', 'a\tb', 'a', '"a;b;c,d'].map(delimiterOf)).toEqual([',', ';', '\t', ',', ';']);
  });

  it('drop byte order marks and read UTF-16 where its mark says so', async () => {
    expect((await records('\uFEFFa@x.example'))[0]!.cells).toEqual(['a@x.example']);
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('b@x.example\tBéa', 'utf16le')]);
    const found = [];
    for await (const record of importRecords(physicalLines(inPieces(utf16, 5)))) found.push(record);
    expect(found[0]!.cells).toEqual(['b@x.example', 'Béa']);
  });
});

describe('the records of a file', () => {
  const text = fc.array(fc.constantFrom('a@x.example,Ann', '"b@x.example","Bea', 'Lee"', '', '"stray', 'é@x.example;ü', '   ', '5" pipe,c@x.example', '""'), { maxLength: 30 });
  const all = async (bytes: Buffer, size: number, from: Parameters<typeof recordsFrom>[1] = null) => {
    const found = [];
    for await (const record of recordsFrom(inPieces(bytes.subarray(from?.offset ?? 0), size), from)) found.push(record);
    return found;
  };

  it('read on from any of them are the same', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('\n', '\r\n', '\r'), fc.integer({ min: 2, max: 40 }), fc.boolean(), async (lines, end, size, wide) => {
        const joined = lines.join(end);
        const bytes = wide ? Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(joined, 'utf16le')]) : Buffer.from(joined);
        const whole = await all(bytes, size);
        for (const [index, { position }] of whole.entries()) expect(await all(bytes, size, position)).toEqual(whole.slice(index));
      }),
      { numRuns: 200 },
    );
  });

  it('of millions of blank lines hold neither memory nor the event loop', async () => {
    const blank = Buffer.alloc(256 * 1024, '\n');
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const pieces = async function* () {
      for (let n = 0; n < 4; n += 1) yield blank;
      yield Buffer.from('a@x.example');
    };
    const found = [];
    for await (const record of recordsFrom(pieces(), null)) found.push(record.line);
    clearInterval(timer);
    expect(found).toEqual([4 * 256 * 1024 + 1]);
    expect(longest).toBeLessThan(500);
  });
});

describe('columns of an import', () => {
  it('are found by their usual names', () => {
    const read = readerOf(['ID', 'First Name', 'Last Name', 'E-mail', 'City'])!;
    expect(read(['7', 'Ann', 'Lee', ' a@x.example ', ''])).toEqual({ email: 'a@x.example', name: 'Ann Lee', attributes: { ID: '7' } });
    expect(readerOf(['a@x.example', 'Ann'])).toBeNull();
    expect(readerOf(['Phone', 'City'])).toBeNull();
  });

  it('of Google Contacts and Outlook are found, not their labels and types', () => {
    const google = readerOf(['First Name', 'Middle Name', 'Last Name', 'Notes', 'Labels', 'E-mail 1 - Label', 'E-mail 1 - Value', 'E-mail 2 - Label', 'E-mail 2 - Value', 'Phone 1 - Value'])!;
    expect(google(['Ann', 'B', 'Lee', '', '* myContacts', 'Work', 'ann@x.example', 'Home', 'ann@home.example', ''])).toEqual({
      email: 'ann@x.example', name: 'Ann Lee', attributes: { 'Middle Name': 'B', Labels: '* myContacts', 'E-mail 1 - Label': 'Work', 'E-mail 2 - Label': 'Home', 'E-mail 2 - Value': 'ann@home.example' },
    });
    expect(google(['Ann', '', 'Lee', '', '', 'Work', 'ann@x.example ::: lee@x.example'])).toMatchObject({ email: 'ann@x.example' });
    const older = readerOf(['Name', 'Given Name', 'Family Name', 'E-mail 1 - Type', 'E-mail 1 - Value'])!;
    expect(older(['Ann Lee', 'Ann', 'Lee', '* Work', 'ann@x.example'])).toMatchObject({ email: 'ann@x.example', name: 'Ann Lee' });
    const outlook = readerOf(['Title', 'First Name', 'Last Name', 'Company', 'E-mail Type', 'E-mail Display Name', 'E-mail Address', 'E-mail 2 Address'])!;
    expect(outlook(['Ms', 'Bea', 'Hill', 'Acme', 'SMTP', 'Bea Hill (bea@x.example)', 'bea@x.example', ''])).toMatchObject({ email: 'bea@x.example', name: 'Bea Hill' });
    expect(readerOf(['Name', 'E-mail 2 Address', 'Email Opt Out'])!(['Cy', 'cy@x.example', 'no'])).toMatchObject({ email: 'cy@x.example' });
    expect(readerOf(['Name', 'Home Address', 'Email Status'])).toBeNull();
  });

  it('without a header are address and name', () => {
    expect(readLine(['a@x.example', 'Lee', 'Ann'])).toEqual({ email: 'a@x.example', name: 'Lee, Ann', attributes: null });
  });
});
