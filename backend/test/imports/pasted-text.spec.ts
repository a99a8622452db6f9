import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openSource } from '../../src/modules/lists/imports/reading/open-source.js';
import { piecesOf } from '../../src/modules/lists/imports/reading/pieces.js';

async function pasted(text: string): Promise<string[][]> {
  const source = await openSource(piecesOf(text), { pasted: true });
  expect(source.kind).toBe('text');
  const rows: string[][] = [];
  let last = 0;
  for await (const batch of source.records())
    for (const { line, cells } of batch) {
      expect(line).toBeGreaterThan(last);
      last = line;
      rows.push(cells);
    }
  return rows;
}

describe('a pasted text', () => {
  it.each<[string, string, string[][]]>([
    [
      'rows of a spreadsheet',
      'Email\tName\na@b.co\tAnn Lee\n',
      [
        ['Email', 'Name'],
        ['a@b.co', 'Ann Lee'],
      ],
    ],
    [
      'a CSV text with a header',
      'First,Email\nAnn,a@b.co\n',
      [
        ['First', 'Email'],
        ['Ann', 'a@b.co'],
      ],
    ],
    ['addresses', 'a@b.co\nc@d.co', [['a@b.co'], ['c@d.co']]],
    [
      'email, name',
      'a@b.co, Ann Lee\nc@d.co, Lee, Carl',
      [
        ['a@b.co', 'Ann Lee'],
        ['c@d.co', 'Lee, Carl'],
      ],
    ],
    [
      "Outlook's To line",
      'Lee, Ann <a@b.co>; "Smith, Bob" <b@b.co>; c@b.co; Dan Roe <d@b.co>;',
      [['a@b.co', 'Lee, Ann'], ['b@b.co', 'Smith, Bob'], ['c@b.co'], ['d@b.co', 'Dan Roe']],
    ],
    [
      "Gmail's list",
      'Ann Lee <a@b.co>, "Smith, Bob" <b@b.co>, c@b.co',
      [['a@b.co', 'Ann Lee'], ['b@b.co', 'Smith, Bob'], ['c@b.co']],
    ],
    [
      'commas of names without quotes',
      'Lee, Ann <a@b.co>, Smith, Bob <b@b.co>',
      [
        ['a@b.co', 'Lee, Ann'],
        ['b@b.co', 'Smith, Bob'],
      ],
    ],
    ['groups', 'Vendors: Ann <a@b.co>, c@b.co; Bob <b@b.co>', [['a@b.co', 'Ann'], ['c@b.co'], ['b@b.co', 'Bob']]],
    [
      'one recipient a line',
      'Ann <a@b.co>\nBob <b@b.co>',
      [
        ['a@b.co', 'Ann'],
        ['b@b.co', 'Bob'],
      ],
    ],
    ['what is no address', 'Ann Lee\na@b.co', [['Ann Lee'], ['a@b.co']]],
    ['a semicolon in a quoted name', '"Lee; Ann" <a@b.co>; b@b.co', [['a@b.co', 'Lee; Ann'], ['b@b.co']]],
    ['nothing', ' \n ', []],
  ])('is read as %s', async (_what, text, rows) => {
    expect(await pasted(text)).toEqual(rows);
  });

  it('contains every person of a generated list', async () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{1,8}$/);
    const person = fc.record({ first: word, last: word, style: fc.constantFrom('plain', 'comma', 'quoted', 'bare') });
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: 2, maxLength: 30 }), async (people) => {
        const texts = people.map(({ first, last, style }, n) => {
          const address = `p${n}@b.co`;
          if (style === 'bare') return address;
          return `${style === 'plain' ? `${first} ${last}` : style === 'comma' ? `${last}, ${first}` : `"${last}, ${first}"`} <${address}>`;
        });
        const addresses = people.map((_, n) => `p${n}@b.co`);
        expect((await pasted(texts.join('; '))).map(([address]) => address)).toEqual(addresses);
        expect((await pasted(texts.join('\n'))).map(([address]) => address)).toEqual(addresses);
      }),
      { numRuns: 100 },
    );
  });
});
