import { describe, expect, it } from '@jest/globals';
import { MAX_BATCH, nextBatchSize } from './rollup-batch-size.js';

const after = (...took: number[]) => took.reduce(nextBatchSize, MAX_BATCH);

describe('the size of a batch of activity', () => {
  it('stays at its maximum while batches are fast', () => {
    expect(after(20, 100, 240)).toBe(7_500);
  });

  it('is halved by every batch over half a second, down to a minimum', () => {
    expect(after(501)).toBe(3_750);
    expect(after(4_000, 2_000)).toBe(1_875);
    expect(after(...Array<number>(20).fill(9_000))).toBe(500);
  });

  it('stays where a batch takes about as long as it may, and grows again after fast ones', () => {
    expect(after(2_000, 400)).toBe(3_750);
    expect(after(2_000, 2_000, 100)).toBe(3_750);
    expect(after(...Array<number>(20).fill(9_000), ...Array<number>(20).fill(10))).toBe(7_500);
  });
});
