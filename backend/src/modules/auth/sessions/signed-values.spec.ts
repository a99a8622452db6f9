import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SignedValues } from './signed-values.js';

const signer = (jwtSecret: string, jwtSecretPrevious?: string) =>
  new SignedValues({ jwtSecret, jwtSecretPrevious }, 'device-cookie', 'device');

describe('signed values', () => {
  it('can be read back', () => {
    expect(signer('one').verify(signer('one').sign('a.b.c'))).toBe('a.b.c');
  });

  it('are refused when changed, signed for another purpose or with another key, or not a string', () => {
    const signed = signer('one').sign('value');
    for (const wrong of [
      signed.replace('value', 'other'),
      `${signed}x`,
      signed.slice(0, -1),
      'value',
      '.',
      '',
      undefined,
      ['x'],
      'x'.repeat(400),
    ]) {
      expect(signer('one').verify(wrong)).toBeUndefined();
    }
    expect(new SignedValues({ jwtSecret: 'one' }, 'refresh-cookie', 'device').verify(signed)).toBeUndefined();
    expect(new SignedValues({ jwtSecret: 'one' }, 'device-cookie', 'refresh').verify(signed)).toBeUndefined();
    expect(signer('two').verify(signed)).toBeUndefined();
  });

  it('stay valid after a change of the secret while the previous one is configured', () => {
    const signed = signer('one').sign('value');
    expect(signer('two', 'one').verify(signed)).toBe('value');
    expect(signer('two', 'one').sign('value')).toBe(signer('two').sign('value'));
    expect(signer('three', 'two').verify(signed)).toBeUndefined();
  });

  it('that were signed with the secret itself by earlier versions are accepted, but no longer created', () => {
    const legacy = `value.${createHmac('sha256', 'one').update('device\nvalue').digest('base64url')}`;
    expect(signer('one').verify(legacy)).toBe('value');
    expect(signer('two', 'one').verify(legacy)).toBe('value');
    expect(signer('one').sign('value')).not.toBe(legacy);
  });
});
