import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nameParts } from './name-parts.js';

describe('the parts of a name', () => {
  it.each([
    ['Priya Patel', 'Priya', 'Patel'],
    ['Patel, Priya', 'Priya', 'Patel'],
    ['PATEL, PRIYA', 'Priya', 'Patel'],
    ['priya patel', 'Priya', 'Patel'],
    ['Dr. Priya Patel', 'Priya', 'Patel'],
    ['Mr. John Smith Jr.', 'John', 'Smith'],
    ['Priya Patel, PMP', 'Priya', 'Patel'],
    ['Patel, Priya, MBA', 'Priya', 'Patel'],
    ["SEAN O'BRIEN", 'Sean', "O'Brien"],
    ['mary-jane watson', 'Mary-Jane', 'Watson'],
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Priya (HR lead) Patel', 'Priya', 'Patel'],
    ['Priya', 'Priya', null],
    ['Zoë Müller', 'Zoë', 'Müller'],
    ['McDonald, Ann', 'Ann', 'McDonald'],
    ['J. Smith', null, 'Smith'],
    ['Dr Smith', null, 'Smith'],
  ])('%s', (name, firstName, lastName) => expect(nameParts(name)).toEqual({ firstName, lastName }));

  it.each([
    'Acme Inc',
    'Acme, LLC',
    'The Recruiting Team',
    'jobs@acme.test',
    'Person 12',
    'Ann & Bob Smith',
    'Acme Staffing',
    '=cmd()',
    '',
    ' , ',
    '---',
    'Mr.',
    '1234',
  ])('%j has neither first nor last name', (name) =>
    expect(nameParts(name)).toEqual({ firstName: null, lastName: null }),
  );

  it('are read from any text without an error', () => {
    const unit = fc.constantFrom(
      'a',
      'B',
      ' ',
      ',',
      '.',
      '"',
      '(',
      ')',
      "'",
      '-',
      'é',
      '李',
      '🎉',
      'jr',
      'dr',
      'van',
      '\u202e',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), (text) => {
        const { firstName, lastName } = nameParts(text);
        for (const one of [firstName, lastName]) expect(one === null || (one !== '' && one.length <= 100)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
