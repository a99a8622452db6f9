import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type HashCaller, HashQueue } from './hash-queue.js';

const drained = <T>(queue: HashQueue<T>): T[] => {
  const all: T[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) all.push(next);
  return all;
};

describe('the queue of password hashes', () => {
  it('serves client networks in turn: a newcomer after a flood is second in the queue', () => {
    const queue = new HashQueue<string>();
    for (let n = 0; n < 60; n += 1) queue.add(`flood ${n}`, { network: 'a' });
    queue.add('one', { network: 'b' });
    expect(drained(queue).indexOf('one')).toBe(1);
  });

  it('when full, replaces the newest entry of the network with the most entries by a newcomer', () => {
    const queue = new HashQueue<string>();
    const refused: string[] = [];
    for (let n = 0; n < 200; n += 1) refused.push(queue.add(`a${n}`, { network: 'a' }) ?? '');
    expect(refused.filter(Boolean)).toHaveLength(100);
    expect(queue.add('b0', { network: 'b' })).toBe('a99');
    expect(queue.add('c0', { network: 'c' })).toBe('a98');
    const left = drained(queue);
    expect(left).toHaveLength(100);
    expect(left).toEqual(expect.arrayContaining(['b0', 'c0', 'a0']));
  });

  it('serves known devices first without starving others, and background work last', () => {
    const queue = new HashQueue<string>();
    queue.add('rehash', 'background');
    for (let n = 0; n < 150; n += 1) queue.add(`flood ${n}`, { network: `net ${n}` });
    for (let n = 0; n < 8; n += 1) expect(queue.add(`known ${n}`, { knownAccount: `user ${n}` })).toBeUndefined();
    const order = drained(queue);
    expect(order.slice(0, 11)).toEqual([
      'known 0',
      'known 1',
      'known 2',
      'flood 0',
      'known 3',
      'known 4',
      'known 5',
      'flood 1',
      'known 6',
      'known 7',
      'flood 2',
    ]);
    expect(order.at(-1)).toBe('rehash');
  });

  it('returns each entry exactly once, served or rejected, and gives every network its share', () => {
    const caller = fc.oneof(
      fc.nat(4).map((n): HashCaller => ({ network: `net ${n}` })),
      fc.nat(4).map((n): HashCaller => ({ knownAccount: `user ${n}` })),
    );
    fc.assert(
      fc.property(fc.array(caller, { maxLength: 600 }), fc.array(fc.nat(3), { maxLength: 600 }), (callers, takes) => {
        const queue = new HashQueue<number>();
        const seen: number[] = [];
        callers.forEach((who, n) => {
          const refused = queue.add(n, who);
          if (refused !== undefined) seen.push(refused);
          for (let left = takes[n] === 3 ? 2 : 0; left > 0; left -= 1) {
            const next = queue.next();
            if (next !== undefined) seen.push(next);
          }
        });
        seen.push(...drained(queue));
        expect(seen.sort((a, b) => a - b)).toEqual(callers.map((_, n) => n));
      }),
    );
  });
});
