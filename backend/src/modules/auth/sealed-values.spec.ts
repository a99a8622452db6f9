import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SealedValues } from './sealed-values.js';

const seals = (jwtSecret: string, jwtSecretPrevious?: string) => new SealedValues({ jwtSecret, jwtSecretPrevious }, 'device-cookie', 'device');

describe('sealed values', () => {
  it('come back as they were', () => {
    expect(seals('one').open(seals('one').seal('a.b.c'))).toBe('a.b.c');
  });

  it('are refused when changed, made for something else, made by someone else, or no text', () => {
    const sealed = seals('one').seal('value');
    for (const wrong of [sealed.replace('value', 'other'), `${sealed}x`, sealed.slice(0, -1), 'value', '.', '', undefined, ['x'], 'x'.repeat(400)]) {
      expect(seals('one').open(wrong)).toBeUndefined();
    }
    expect(new SealedValues({ jwtSecret: 'one' }, 'refresh-cookie', 'device').open(sealed)).toBeUndefined();
    expect(new SealedValues({ jwtSecret: 'one' }, 'device-cookie', 'refresh').open(sealed)).toBeUndefined();
    expect(seals('two').open(sealed)).toBeUndefined();
  });

  it('outlive a change of the secret while the previous one is named', () => {
    const sealed = seals('one').seal('value');
    expect(seals('two', 'one').open(sealed)).toBe('value');
    expect(seals('two', 'one').seal('value')).toBe(seals('two').seal('value'));
    expect(seals('three', 'two').open(sealed)).toBeUndefined();
  });

  it('of versions that keyed with the secret itself are still accepted, and no longer made', () => {
    const legacy = `value.${createHmac('sha256', 'one').update('device\nvalue').digest('base64url')}`;
    expect(seals('one').open(legacy)).toBe('value');
    expect(seals('two', 'one').open(legacy)).toBe('value');
    expect(seals('one').seal('value')).not.toBe(legacy);
  });
});
