import { describe, expect, it } from '@jest/globals';
import { ConsentChanges, MAX_ANSWER_AGE_MS } from './consent-changes.js';

const answer = (since: number) => ({ since, tokens: ['a:one', 'l:list', 'u:sender', 's:send'] });

describe('ConsentChanges', () => {
  it('invalidates older answers that a change concerns, and no others', () => {
    const changes = new ConsentChanges();
    changes.note(['a:two'], 100);
    expect(changes.isCurrent(answer(50), 110)).toBe(true);
    for (const token of ['a:one', 'l:list', 'u:sender', 's:send', '*']) {
      const told = new ConsentChanges();
      told.note(['a:two', token], 100);
      expect(told.isCurrent(answer(100), 110)).toBe(false);
      expect(told.isCurrent(answer(101), 110)).toBe(true);
    }
  });

  it('invalidates all answers when too many changes are stored, and then stores few', () => {
    const changes = new ConsentChanges();
    for (let i = 0; i < 200; i++)
      changes.note(
        Array.from({ length: 200 }, (_, n) => `a:${i}-${n}`),
        100 + i,
      );
    expect(changes.isCurrent(answer(100), 400)).toBe(false);
    expect(changes.isCurrent(answer(1_000), 1_001)).toBe(true);
  });

  it('never trusts an answer longer than it stores changes', () => {
    const changes = new ConsentChanges();
    changes.note(['a:one'], 100);
    changes.prune(101 + MAX_ANSWER_AGE_MS);
    expect(changes.isCurrent(answer(100), 101 + MAX_ANSWER_AGE_MS)).toBe(false);
  });

  it('trusts answers for a second without notifications, and in any case for a short time', () => {
    const changes = new ConsentChanges();
    expect(changes.goodUntil(0, 200, 300)).toBe(1_000);
    expect(changes.goodUntil(0, 5_000, 5_000)).toBe(5_500);
    changes.listeningUntil(400);
    expect(changes.goodUntil(0, 200, 300)).toBe(Infinity);
    expect(changes.goodUntil(0, 200, 500)).toBe(1_000);
  });
});
