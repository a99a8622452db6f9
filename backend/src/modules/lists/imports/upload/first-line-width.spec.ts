import { describe, expect, it } from '@jest/globals';
import { FirstLineWidth, MAX_COLUMNS } from './first-line-width.js';

/** Whether a file is accepted, in whatever chunks it arrives. */
async function passes(content: Buffer): Promise<boolean> {
  const answers = await Promise.all(
    [1, 7, 64 * 1024].map(async (size) => {
      const width = new FirstLineWidth();
      let isNarrow = true;
      for (let at = 0; at < content.length; at += size)
        isNarrow = (await width.take(content.subarray(at, at + size))) && isNarrow;
      return (await width.end()) && isNarrow;
    }),
  );
  expect(new Set(answers).size).toBe(1);
  return answers[0]!;
}
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf16be = (text: string) => utf16(text).swap16();
const wide = (delimiter = ',') => Array.from({ length: MAX_COLUMNS + 1 }, (_, n) => `c${n}`).join(delimiter);
const narrow = Array.from({ length: MAX_COLUMNS }, (_, n) => `c${n}`).join(',');

describe('the width of a first line', () => {
  it.each([
    ['plain', wide()],
    ['semicolons', wide(';')],
    ['tabs', wide('\t')],
    ['blank lines first', `\n \r\n\t\n${wide()}`],
    ['a byte order mark and an empty line first', `\uFEFF\n${wide()}`],
    ['a byte order mark alone', `\uFEFF${wide()}`],
    ['blanks that are no ASCII first', `\u00A0\u3000\n${wide()}`],
    ['a stray quote at the beginning', `"${wide()}\na,b`],
    ['a stray quote in the middle', `a"b,${wide()}\na,b`],
    ['a quoted cell over two lines', `"two\nlines",${wide()}\n`],
    ['a stray quote that hides an open one', `x"y,"z\nw",${wide()}\n`],
    ['every cell quoted', `"${wide().replaceAll(',', '","')}"`],
    ['columns that only a quoted cell over lines joins', `${narrow.slice(0, narrow.length / 2)},"x\ny",${narrow}`],
  ])('is refused beyond 1,000 columns: %s', async (_what, text) => {
    expect(await passes(Buffer.from(text))).toBe(false);
    expect(await passes(utf16(text))).toBe(false);
    expect(await passes(utf16be(text))).toBe(false);
  });

  it.each([
    ['1,000 columns', `${narrow}\n${wide()}`],
    ['a long quoted text', `email,"${'a, '.repeat(9_000)}"\n`],
    ['999 quoted columns with commas', `email,${Array.from({ length: 998 }, (_, n) => `"column, ${n}"`).join(',')}\n`],
    ['many lines', 'a,b,c\n'.repeat(5_000)],
    ['many lines with quotes', '"a","b, c","d"\n'.repeat(5_000)],
    ['sixty quoted columns', `${Array.from({ length: 60 }, (_, n) => `"c ${n}"`).join(',')}\r\n`.repeat(100)],
    ['nothing', ''],
    ['one letter', 'a'],
  ])('is accepted: %s', async (_what, text) => {
    expect(await passes(Buffer.from(text))).toBe(true);
    expect(await passes(utf16(text))).toBe(true);
    expect(await passes(utf16be(text))).toBe(true);
  });

  it('counts UTF-16 characters, whatever the encoding', async () => {
    // Both bytes of each of these characters equal a comma, a line feed or a quote.
    expect(await passes(utf16(`${'\u2C2C\u0A0A\u2222'.repeat(3_000)},b`))).toBe(true);
    expect(await passes(utf16(`\u0A0A,${wide()}`))).toBe(false);
    expect(await passes(utf16be(`${'\u2C2C\u0A0A\u2222'.repeat(3_000)},b`))).toBe(true);
  });
});
