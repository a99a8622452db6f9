import { describe, expect, it } from '@jest/globals';
import { ConsentChanges, LONGEST_ANSWER_MS } from './consent-changes.js';

const answer = (since: number) => ({ since, tokens: ['a:one', 'l:list', 'u:sender', 's:send'] });

describe('ConsentChanges', () => {
  it('voids the answers that a change is about, and only older ones', () => {
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

  it('voids everything once too many changes are kept, and keeps few', () => {
    const changes = new ConsentChanges();
    for (let i = 0; i < 200; i++) changes.note(Array.from({ length: 200 }, (_, n) => `a:${i}-${n}`), 100 + i);
    expect(changes.isCurrent(answer(100), 400)).toBe(false);
    expect(changes.isCurrent(answer(1_000), 1_001)).toBe(true);
  });

  it('uses no answer longer than changes are kept', () => {
    const changes = new ConsentChanges();
    changes.note(['a:one'], 100);
    changes.prune(101 + LONGEST_ANSWER_MS);
    expect(changes.isCurrent(answer(100), 101 + LONGEST_ANSWER_MS)).toBe(false);
  });

  it('lets a batch rest on its answers for a second where changes are not heard, and for a moment in any case', () => {
    const changes = new ConsentChanges();
    expect(changes.goodUntil(0, 200, 300)).toBe(1_000);
    expect(changes.goodUntil(0, 5_000, 5_000)).toBe(5_500);
    changes.listeningUntil(400);
    expect(changes.goodUntil(0, 200, 300)).toBe(Infinity);
    expect(changes.goodUntil(0, 200, 500)).toBe(1_000);
  });
});
