import { describe, expect, it } from '@jest/globals';
import { RecentRateCuts } from '../../src/modules/delivery/throttling/recent-rate-cuts.js';

describe('recent rate cuts', () => {
  it('are found by provider and time', () => {
    const cuts = new RecentRateCuts();
    cuts.note('google', 1_000);
    expect([cuts.isSince('google', 1_000), cuts.isSince('google', 1_001), cuts.isSince('yahoo', 0)]).toEqual([
      true,
      false,
      false,
    ]);
    cuts.note('google', 2_000);
    expect(cuts.isSince('google', 1_500)).toBe(true);
    expect(cuts.count).toBe(2);
  });

  it('expire when no batch can contain an older message, so that their number stays small', () => {
    const cuts = new RecentRateCuts();
    for (let n = 0; n < 100_000; n++) cuts.note(`domain${n}.test`, n * 1_000);
    expect(cuts.size).toBeLessThanOrEqual(601);
    expect(cuts.isSince('domain99999.test', 99_999_000)).toBe(true);
  });
});
