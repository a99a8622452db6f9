import { describe, expect, it } from '@jest/globals';
import { restAfter } from './background-rest.js';

describe('the rest between two parts of background work', () => {
  it('is none while the database answers at once, grows with its delay, and ends at a second', () => {
    expect([0, 2, 10].map(restAfter)).toEqual([0, 0, 0]);
    expect(restAfter(15)).toBe(100);
    expect(restAfter(40)).toBe(600);
    expect([60, 5_000].map(restAfter)).toEqual([1_000, 1_000]);
  });
});
