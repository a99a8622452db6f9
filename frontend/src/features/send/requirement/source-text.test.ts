import { expect, it } from '@jest/globals';
import { leftOutText } from './left-out-line';
import { piecesOf } from './source-text';

const shown = (text: string, ...rest: [Parameters<typeof piecesOf>[1], Parameters<typeof piecesOf>[2]]) =>
  piecesOf(text, ...rest).map(
    ({ from, to, isSource, isLeftOut }) => (isSource ? '+' : '') + (isLeftOut ? '-' : '') + text.slice(from, to),
  );

it('a text is cut where its marks begin and end, whatever overlaps', () => {
  expect(shown('0123456789', null, [])).toEqual(['0123456789']);
  expect(
    shown('0123456789', { from: 2, to: 6 }, [
      { from: 0, to: 1 },
      { from: 4, to: 10 },
    ]),
  ).toEqual(['-0', '1', '+23', '+-45', '-6789']);
  expect(shown('', null, [])).toEqual([]);
  expect(shown('01', { from: 1, to: 2 }, [])).toEqual(['0', '+1']);
});

it.each([
  [
    { emails: 1, phones: 2, signature: true, disclaimer: true },
    'Left out: 1 e-mail address, 2 phone numbers, a signature, a disclaimer.',
  ],
  [{ emails: 2, phones: 0, signature: false, disclaimer: false }, 'Left out: 2 e-mail addresses.'],
  [{ emails: 0, phones: 0, signature: false, disclaimer: false }, ''],
])('of %j it says %p', (counts, text) => {
  expect(leftOutText({ ...counts, texts: [] })).toBe(text);
});
