import { describe, expect, it } from '@jest/globals';
import { backoffAfter } from './background-backoff.js';

describe('the pause between two batches of background work', () => {
  it('is zero while the database is fast, grows with its latency, and is at most a second', () => {
    expect([0, 2, 10].map(backoffAfter)).toEqual([0, 0, 0]);
    expect(backoffAfter(15)).toBe(100);
    expect(backoffAfter(40)).toBe(600);
    expect([60, 5_000].map(backoffAfter)).toEqual([1_000, 1_000]);
  });
});
