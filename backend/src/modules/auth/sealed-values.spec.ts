import { describe, expect, it } from '@jest/globals';
import { SealedValues } from './sealed-values.js';

describe('sealed values', () => {
  const seals = new SealedValues('secret one');

  it('come back as they were', () => {
    expect(seals.open('device', seals.seal('device', 'a.b.c'))).toBe('a.b.c');
  });

  it('are refused when changed, made for something else, made by someone else, or no text', () => {
    const sealed = seals.seal('device', 'value');
    for (const wrong of [sealed.replace('value', 'other'), `${sealed}x`, sealed.slice(0, -1), 'value', '.', '', undefined, ['x'], 'x'.repeat(400)]) {
      expect(seals.open('device', wrong)).toBeUndefined();
    }
    expect(seals.open('refresh', sealed)).toBeUndefined();
    expect(new SealedValues('secret two').open('device', sealed)).toBeUndefined();
  });
});
