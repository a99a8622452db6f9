import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { refusesData, storableJson, storableText } from './storable-text.js';

const any = fc
  .array(fc.constantFrom('a', '\0', '\ud83d', '\ude00', '😀', '\\', '\\u0000', '"', 'é', '\n'))
  .map((parts) => parts.join(''));

describe('storable text', () => {
  it('is well formed, without NUL and within the limit, for any text and any cut', () => {
    fc.assert(
      fc.property(any, fc.nat(20), (text, length) => {
        const stored = storableText(text, length);
        expect(stored.isWellFormed() && !stored.includes('\0') && stored.length <= length).toBe(true);
      }),
    );
  });

  it('keeps storable text, and cuts before a surrogate pair that does not fit', () => {
    expect(storableText('ab😀', 4)).toBe('ab😀');
    expect(storableText('ab😀', 3)).toBe('ab');
    expect(storableText('a\0b\ud83d')).toBe('ab\ufffd');
  });
});

describe('storable JSON', () => {
  it('equals the JSON of storable text', () => {
    fc.assert(
      fc.property(any, (text) => {
        expect(JSON.parse(storableJson({ text, n: [text, 1, null] }))).toEqual({
          text: storableText(text),
          n: [storableText(text), 1, null],
        });
      }),
    );
  });
});

describe('a rejected statement', () => {
  it('counts as a data error only where the data caused it', () => {
    expect(['22P05', '22021', '23514', '54000'].map((code) => refusesData({ code }))).toEqual([true, true, true, true]);
    expect(
      [{ code: '57P01' }, { code: '40P01' }, { code: 'ECONNREFUSED' }, { code: '55P03' }, new Error('no'), null].map(
        refusesData,
      ),
    ).toEqual([false, false, false, false, false, false]);
  });
});
