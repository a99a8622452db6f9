import { describe, expect, it } from '@jest/globals';
import { bucket, START, type Enforcement, ENFORCEMENTS, Simulation } from './rate-simulation.js';

const CONDITIONS = [
  { workers: 1, latencyMs: 5, lateMs: 20 },
  { workers: 1, latencyMs: 300, lateMs: 100 },
  { workers: 3, latencyMs: 50, lateMs: 150 },
  { workers: 2, latencyMs: 1_000, lateMs: 100 },
];

/** Share of the provider's rate that was used, and share of refused answers, in a period of the simulation. */
function measured(
  simulation: Simulation,
  fromSeconds: number,
  seconds: number,
  perSecond: number,
): { share: number; refused: number } {
  simulation.clock.runUntil(START + fromSeconds * 1000);
  const [taken, refused] = [simulation.accepted, simulation.refused];
  simulation.clock.runUntil(START + (fromSeconds + seconds) * 1000);
  const [takenSince, refusedSince] = [simulation.accepted - taken, simulation.refused - refused];
  return { share: takenSince / seconds / perSecond, refused: refusedSince / (takenSince + refusedSince) };
}

const enforced = Object.keys(ENFORCEMENTS).flatMap((counts) =>
  [1, 2, 5, 10, 30, 100, 500].map((perSecond) => ({ counts, perSecond })),
);

describe('a provider that enforces a rate', () => {
  it.each(enforced)(
    'of $perSecond a second by $counts gets 0.8 of it after two minutes, with less than 5 % refusals',
    ({ counts, perSecond }) => {
      const isLarge = perSecond >= 500;
      for (const conditions of isLarge ? CONDITIONS.slice(2, 3) : CONDITIONS) {
        const found = measured(
          new Simulation({ ...conditions, perSecond, enforcement: ENFORCEMENTS[counts]!, seed: perSecond }),
          120,
          isLarge ? 120 : 240,
          perSecond,
        );
        expect({
          conditions,
          ...found,
          isServed: found.share >= 0.8,
          isSeldomRefused: found.refused < 0.05,
        }).toMatchObject({ isServed: true, isSeldomRefused: true });
      }
    },
  );

  it.each([
    [100, 10],
    [10, 100],
    [200, 5],
  ])('that changes from %d to %d a second gets 0.8 of the new rate two minutes later', (before, after) => {
    const enforcement: Enforcement = (_perSecond, now) => {
      const [first, second] = [bucket(before, before, now), bucket(after, Math.max(2, after), now)];
      return () => (now() < START + 300_000 ? first() : second());
    };
    const found = measured(
      new Simulation({ ...CONDITIONS[2]!, perSecond: Math.max(before, after), enforcement, seed: 1 }),
      420,
      240,
      after,
    );
    expect(found.share).toBeGreaterThan(0.8);
    expect(found.refused).toBeLessThan(0.05);
  });

  it('that accepts nothing for ten minutes is rarely tried, and served again three minutes later', () => {
    const enforcement: Enforcement = (perSecond, now) => {
      const open = bucket(perSecond, perSecond, now);
      return () => (now() > START + 120_000 && now() < START + 720_000 ? false : open());
    };
    const simulation = new Simulation({ ...CONDITIONS[2]!, perSecond: 50, enforcement, seed: 1 });
    simulation.clock.runUntil(START + 120_000);
    const before = simulation.refused;
    simulation.clock.runUntil(START + 720_000);
    expect(simulation.refused - before).toBeLessThan(150);
    expect(measured(simulation, 960, 120, 50).share).toBeGreaterThan(0.8);
  });

  it('that refuses for the rest of its window costs only a few seconds, and no lower learned rate', () => {
    const simulation = new Simulation({
      ...CONDITIONS[0]!,
      perSecond: 30,
      enforcement: ENFORCEMENTS['windows of ten seconds']!,
      seed: 1,
    });
    expect(measured(simulation, 60, 60, 30).share).toBeGreaterThan(0.8);
  });
});
