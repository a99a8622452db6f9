import { expect, it } from '@jest/globals';
import { guessesOf, type Place } from './guesses';
import { leftOutText } from './left-out-line';
import { piecesOf } from './source-text';

const shown = (text: string, ...rest: [source: readonly Place[], leftOut: readonly Place[]]) =>
  piecesOf(text, ...rest).map(
    ({ from, to, isSource, isLeftOut }) => (isSource ? '+' : '') + (isLeftOut ? '-' : '') + text.slice(from, to),
  );

it('a text is cut where its marks begin and end, whatever overlaps', () => {
  expect(shown('0123456789', [], [])).toEqual(['0123456789']);
  expect(
    shown(
      '0123456789',
      [{ from: 2, to: 6 }],
      [
        { from: 0, to: 1 },
        { from: 4, to: 10 },
      ],
    ),
  ).toEqual(['-0', '1', '+23', '+-45', '-6789']);
  expect(shown('', [], [])).toEqual([]);
  expect(shown('01', [{ from: 1, to: 2 }], [])).toEqual(['0', '+1']);
});

it.each([
  [
    { emails: 1, phones: 2, signature: true, disclaimer: true },
    [],
    'Left out: 1 e-mail address, 2 phone numbers, a signature, a disclaimer.',
  ],
  [{ emails: 2, phones: 0, signature: false, disclaimer: false }, [], 'Left out: 2 e-mail addresses.'],
  [
    { emails: 0, phones: 0, signature: false, disclaimer: false },
    ['Acme, Inc.', 'Acme'],
    "Left out: the client's name (Acme, Inc., Acme).",
  ],
  [{ emails: 0, phones: 0, signature: false, disclaimer: false }, [], ''],
])('of %j and the names %j it says %p', (counts, hiddenNames, text) => {
  expect(leftOutText({ ...counts, texts: [] }, hiddenNames)).toBe(text);
});

it('a part with several values is as sure as the least sure of them', () => {
  const guess = (confidence: 'sure' | 'check', from: number) => ({
    field: 'requiredSkills' as const,
    confidence,
    from,
    to: from + 4,
  });
  const guesses = [guess('sure', 3), guess('check', 9), guess('sure', 20)];
  expect(guessesOf({ guesses }).get('requiredSkills')).toEqual({
    confidence: 'check',
    places: [
      { from: 3, to: 7 },
      { from: 9, to: 13 },
      { from: 20, to: 24 },
    ],
  });
});
