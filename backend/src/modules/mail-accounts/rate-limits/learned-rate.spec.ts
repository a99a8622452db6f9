import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cautiousStart, credited, halved, type LearnedRate, rateOf } from './learned-rate.js';

const positive = (max: number) => fc.double({ min: 0.01, max, noNaN: true });
const learned: fc.Arbitrary<LearnedRate> = fc
  .record({
    base: positive(5_000),
    ceiling: fc.option(positive(10_000)),
    goodSeconds: fc.double({ min: 0, max: 100_000, noNaN: true }),
  })
  .map((rate) => ({ ...rate, ceiling: rate.ceiling === null ? null : Math.max(rate.ceiling, rate.base) }));

describe('a learned rate', () => {
  it('is halved by a refusal, never below the minimum', () => {
    fc.assert(
      fc.property(learned, positive(1), (before, floor) => {
        const after = rateOf(halved(before, 0, floor));
        expect(after).toBeCloseTo(Math.max(floor, rateOf(before) / 2), 6);
      }),
    );
  });

  it('grows only with time at full use, and never less with more time', () => {
    fc.assert(
      fc.property(learned, positive(60), positive(60), (before, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        expect(rateOf(credited(before, less))).toBeGreaterThanOrEqual(rateOf(before) - 1e-9);
        expect(rateOf(credited(before, more))).toBeGreaterThanOrEqual(rateOf(credited(before, less)) - 1e-9);
      }),
    );
  });

  it('recovers to just under the refused rate within ten seconds, stays there for a while, then probes for more', () => {
    fc.assert(
      fc.property(
        positive(5_000).filter((rate) => rate > 1),
        (refusedAt) => {
          const cut = halved({ base: refusedAt, ceiling: refusedAt, goodSeconds: 0 }, 0, 0.01);
          expect(rateOf({ ...cut, goodSeconds: 10 })).toBeCloseTo(0.95 * refusedAt, 6);
          expect(rateOf({ ...cut, goodSeconds: 20 })).toBeCloseTo(0.95 * refusedAt, 6);
          expect(rateOf({ ...cut, goodSeconds: 300 })).toBeGreaterThan(2 * refusedAt);
        },
      ),
    );
  });

  it("that is refused repeatedly is not taken for the provider's limit: its ceiling falls more slowly and is then discarded", () => {
    const first = halved({ base: 100, ceiling: 100, goodSeconds: 0 }, 0, 0.01);
    const second = halved(first, 0, 0.01, 1);
    expect(second.base).toBe(25);
    expect(second.ceiling).toBeGreaterThan(70);
    expect(halved(second, 0, 0.01, 3).ceiling).toBeNull();
    fc.assert(
      fc.property(learned, fc.integer({ min: 0, max: 9 }), positive(1), (before, inARow, floor) => {
        const { base, ceiling } = halved(before, 0, floor, inARow);
        expect(base).toBeGreaterThanOrEqual(floor);
        if (ceiling !== null) expect(ceiling).toBeGreaterThanOrEqual(base * 2);
      }),
    );
  });

  it('starts at half of the measured rate or at a default, and doubles until it is refused', () => {
    const first = halved(null, 400, 0.01);
    expect(rateOf(first)).toBe(200);
    expect(rateOf({ ...first, goodSeconds: 10 })).toBe(400);
    expect(rateOf(halved(null, 0, 0.01))).toBe(2.5);
  });

  it('of a new account starts at a fixed rate and grows slowly', () => {
    expect(rateOf(cautiousStart(10))).toBeCloseTo(10, 6);
    expect(rateOf({ ...cautiousStart(10), goodSeconds: 620 })).toBeGreaterThan(15);
    expect(rateOf({ ...cautiousStart(10), goodSeconds: 620 })).toBeLessThan(20);
  });
});
