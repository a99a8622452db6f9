import { describe, expect, it } from '@jest/globals';
import type { Settings } from '../../shared/config/settings.js';
import { PasswordHasher } from './password-hasher.service.js';

const hasher = new PasswordHasher({ runsWeb: true } as Settings);

describe('password hashes', () => {
  it('are argon2id strings of at least 19 MiB and two passes, never the same twice', async () => {
    const [one, two] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await hasher.verify('correct horse', one)).toBe(true);
    expect(await hasher.verify('Correct horse', one)).toBe(false);
  });

  it('take 256 characters uncut, and say no without a hash', async () => {
    const long = 'ü'.repeat(256);
    const hash = await hasher.hash(long);
    expect(await hasher.verify(long.slice(0, 255), hash)).toBe(false);
    expect(await hasher.verify(long, hash)).toBe(true);
    expect(await hasher.verify(long, undefined)).toBe(false);
  });

  it('run many at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => hasher.verify('x', undefined)));
    expect(all).toEqual(Array(8).fill(false));
  });
});
