import { describe, expect, it } from '@jest/globals';
import { splitSlots } from './slot-split.js';

describe('slots shared between sends', () => {
  const leased = (...waiting: number[]) =>
    waiting.map((count, i) => ({ sendId: `${i}`, userId: `user ${i}`, waiting: count }));
  const sharesOf = (slots: number, ...waiting: number[]) =>
    splitSlots(leased(...waiting), slots).map(({ slots: given }) => given);

  it('are even, never exceed the waiting messages, and are all used where enough messages wait', () => {
    expect(sharesOf(10, 100, 100)).toEqual([5, 5]);
    expect(sharesOf(10, 2, 100)).toEqual([2, 8]);
    expect(sharesOf(3, 100, 100, 100, 100)).toEqual([1, 1, 1]);
    expect(sharesOf(10, 1, 1)).toEqual([1, 1]);
  });

  it('are even between account holders, whatever their number of sends', () => {
    const many = Array.from({ length: 18 }, (_, i) => ({ sendId: `many ${i}`, userId: 'many', waiting: 1_000 }));
    const found = splitSlots(
      [...many, { sendId: 'one', userId: 'one', waiting: 1_000 }, { sendId: 'few', userId: 'few', waiting: 4 }],
      100,
    );
    const of = (userId: string): number =>
      found.filter(({ backlog }) => backlog.userId === userId).reduce((sum, { slots }) => sum + slots, 0);
    expect([of('many'), of('one'), of('few')]).toEqual([48, 48, 4]);
  });
});
