import { describe, expect, it } from '@jest/globals';
import type { Settings } from '../../../shared/config/settings.js';
import type { HashCaller } from './hash-queue.js';
import { PasswordHasher } from './password-hasher.service.js';

const hasher = new PasswordHasher({ runsWeb: true } as Settings);

describe('password hashes', () => {
  it('are argon2id strings with at least 19 MiB and two passes, and differ each time', async () => {
    const [one, two] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await hasher.verify('correct horse', one)).toBe(true);
    expect(await hasher.verify('Correct horse', one)).toBe(false);
  });

  it("use all of a password's 256 characters; a missing hash matches no password", async () => {
    const long = 'ü'.repeat(256);
    const hash = await hasher.hash(long);
    expect(await hasher.verify(long.slice(0, 255), hash)).toBe(false);
    expect(await hasher.verify(long, hash)).toBe(true);
    expect(await hasher.verify(long, undefined)).toBe(false);
  });

  it('are checked eight at once: a missing hash matches nothing', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => hasher.verify('x', undefined)));
    expect(all).toEqual(Array(8).fill(false));
  });
});

describe('a flood of password checks', () => {
  it('from three networks neither blocks nor delays a newcomer or a known device', async () => {
    const finished: string[] = [];
    const refused: string[] = [];
    const check = (name: string, caller: HashCaller) =>
      hasher.verify('x', undefined, caller).then(
        () => void finished.push(name),
        () => void refused.push(name),
      );
    const flood = Array.from({ length: 300 }, (_, n) => check('flood', { network: `192.0.2.${n % 3}` }));
    await Promise.resolve();
    const [newcomer, known] = [check('newcomer', { network: '198.51.100.1' }), check('known', { knownAccount: 'ann' })];
    await Promise.all([newcomer, known]);
    const before = Math.max(...['newcomer', 'known'].map((name) => finished.indexOf(name)));
    await Promise.all(flood);
    expect(refused.filter((name) => name !== 'flood')).toEqual([]);
    // The threads had already started two hashes of the flood. Then each of its three networks gets a turn before the
    // newcomer does.
    expect(before).toBeLessThanOrEqual(10);
    expect(finished.filter((name) => name === 'flood').length).toBeGreaterThan(90);
  });
});

describe('cost parameters', () => {
  const at = (m: number, t: number, p: number) =>
    `$argon2id$v=19$m=${m},t=${t},p=${p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

  it('are outdated where lower than the current ones', async () => {
    expect(hasher.isOutdated(await hasher.hash('correct horse'))).toBe(false);
    for (const lower of [at(19_455, 2, 1), at(19_456, 1, 1), at(8, 1, 1)]) expect(hasher.isOutdated(lower)).toBe(true);
    expect(hasher.isOutdated(at(65_536, 3, 1))).toBe(false);
  });
});
