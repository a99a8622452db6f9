import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cleanValue, filledSubject } from './values.js';

describe('a value', () => {
  it.each([
    ['Priya', 'Priya'],
    ['  Priya\t Patel ', 'Priya Patel'],
    ['A\r\nBcc: e@x', 'A Bcc: e@x'],
    ['\u202egpj.exe', 'gpj.exe'],
    ['a\u0000b\u0007c', 'abc'],
    ['\ue000x\ud800', 'x'],
    ['a\u00a0\u2028\u0085b', 'a b'],
    ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
    ['مرحبا', 'مرحبا'],
    [' \n ', ''],
  ])('%j reads %j', (given, cleaned) => expect(cleanValue(given)).toBe(cleaned));

  it('is truncated between characters', () => {
    expect(cleanValue('x'.repeat(10_000))).toHaveLength(200);
    expect(cleanValue(`${'x'.repeat(199)}🎉`)).toBe('x'.repeat(199));
  });

  it('is one line without repeated blanks, and cleaning is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const value = cleanValue(text);
        expect(value).toMatch(/^(?:\S+(?: \S+)*)?$/u);
        expect(cleanValue(value)).toBe(value);
        expect(value.isWellFormed()).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a subject', () => {
  it('uses at most 100 characters of a value, and has at most 255', () => {
    const tag = { tag: 'company', fallback: null };
    const values = new Map([['company', 'x'.repeat(200)]]);
    expect(filledSubject(['Hi ', tag], values)).toHaveLength(103);
    expect(filledSubject([tag, tag, tag], values)).toHaveLength(255);
  });

  it('has no blanks at its ends without a value', () => {
    expect(filledSubject([{ tag: 'company', fallback: null }, ' | Java'], new Map())).toBe('| Java');
  });
});
