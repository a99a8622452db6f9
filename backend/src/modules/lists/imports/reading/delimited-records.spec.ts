import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DelimitedRecord, delimitedRecords, delimiterOf, splitCells } from './delimited-records.js';

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
async function records(text: string): Promise<DelimitedRecord[]> {
  const found: DelimitedRecord[] = [];
  for await (const record of delimitedRecords(each(text.split('\n')))) found.push(record);
  return found;
}

describe('records of a delimited text', () => {
  it('contain what a CSV writer quoted', () => {
    const cell = fc.string({ maxLength: 10 }).map((text) => text.replace(/[\r\n]/g, '').trim());
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
        expect(splitCells(cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(','), ',')).toEqual(
          cells.map((text) => text.trim()),
        );
      }),
    );
  });

  it('keep their line numbers over blank lines, multi-line cells and stray quotes', async () => {
    expect(await records('a@x.example,"Ann\nLee"\n\n"stray,b@x.example\nc@x.example\n')).toEqual([
      { line: 1, cells: ['a@x.example', 'Ann\nLee'] },
      { line: 4, cells: ['"stray', 'b@x.example'] },
      { line: 5, cells: ['c@x.example'] },
    ]);
  });

  it('lose a single line to a stray quote, also where every cell is quoted', async () => {
    expect(
      await records(
        '"a@x.example","Ann"\n"stray,"Bea"\n"c@x.example","Cy ""C"" Hill"\n5" pipe,d@x.example\n"e@x.example" , Eve\n',
      ),
    ).toEqual([
      { line: 1, cells: ['a@x.example', 'Ann'] },
      { line: 2, cells: ['"stray', '"Bea"'] },
      { line: 3, cells: ['c@x.example', 'Cy "C" Hill'] },
      { line: 4, cells: ['5" pipe', 'd@x.example'] },
      { line: 5, cells: ['e@x.example', 'Eve'] },
    ]);
    expect((await records('"stray,x\n"b@x.example","Bea"\n')).map(({ line }) => line)).toEqual([1, 2]);
  });

  it('are split at the delimiter most frequent in the first one', () => {
    expect(['a,b', 'a;"b,c,d"', 'a\tb', 'a', '"a;b;c,d'].map(delimiterOf)).toEqual([',', ';', '\t', ',', ';']);
  });
});
