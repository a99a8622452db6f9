import { describe, expect, it } from '@jest/globals';
import { cautiousStart, type LearnedRate, rateOf } from '../../src/modules/mail-accounts/rate-limits/learned-rate.js';
import {
  type LimiterState,
  NEVER_USED,
  cutRate,
  reserve,
} from '../../src/modules/mail-accounts/rate-limits/rate-limit.js';
import { ENFORCEMENTS, Simulation, START } from './rate-simulation.js';

const HOUR = 3_600_000;
const PER_SECOND = 40;

/** State of a limiter that a provider has just refused at 40 messages a second. */
const refusedAtForty = (now: number): LimiterState =>
  cutRate(NEVER_USED, { begunAt: now, measured: 4 * PER_SECOND, most: Infinity, floor: 1 / 60 }, now - 60_000);

const learned = (rate: LearnedRate, now: number): LimiterState => ({
  ...NEVER_USED,
  cutAt: now - 60_000,
  learned: rate,
});

/**
 * Sends `messages` every `everyMs` until START, as batches that request their send times when they are ready. All of
 * them are accepted.
 */
function sendUntilStart(before: LimiterState, forMs: number, everyMs: number, messages: number): LimiterState {
  let state = before;
  for (let due = START - forMs; due < START; due += everyMs) {
    let now = due;
    for (let left = messages; left > 0;) {
      const found = reserve(state, { most: Infinity, wanted: left, lookaheadMs: 0 }, now);
      state = found.state;
      left -= found.reservation.granted;
      now += Math.max(1, found.reservation.retryInMs);
    }
  }
  return state;
}

const rateAfter = (...demand: Parameters<typeof sendUntilStart>): number => rateOf(sendUntilStart(...demand).learned!);

describe('a learned rate under little mail', () => {
  const demands = [
    { demand: 'one message a second for an hour', forMs: HOUR, everyMs: 1_000, messages: 1 },
    { demand: 'one message a second for eight hours', forMs: 8 * HOUR, everyMs: 1_000, messages: 1 },
    { demand: 'four messages a second for two hours', forMs: 2 * HOUR, everyMs: 250, messages: 1 },
    { demand: 'a hundred messages a minute, together, for a day', forMs: 24 * HOUR, everyMs: 60_000, messages: 100 },
    { demand: 'ten messages together each second for two hours', forMs: 2 * HOUR, everyMs: 1_000, messages: 10 },
  ];

  it.each(demands)('is recovered, and not raised further, by $demand', ({ forMs, everyMs, messages }) => {
    const cut = { base: PER_SECOND / 2, ceiling: PER_SECOND, goodSeconds: 0 };
    const rate = rateAfter(learned(cut, START - forMs), forMs, everyMs, messages);
    expect(rate).toBeGreaterThan(0.75 * PER_SECOND);
    expect(rate).toBeLessThan(1.25 * PER_SECOND);
  });

  it.each(demands)('of which no limit is known is at most doubled by $demand', ({ forMs, everyMs, messages }) => {
    const before = refusedAtForty(START - forMs);
    expect(rateAfter(before, forMs, everyMs, messages)).toBeLessThan(2 * rateOf(before.learned!));
  });

  it.each(demands)('of a new account is hardly raised by $demand', ({ forMs, everyMs, messages }) => {
    const start = cautiousStart(20);
    expect(rateAfter(learned(start, START - forMs), forMs, everyMs, messages)).toBeLessThan(22);
  });

  it.each(demands)('is still high enough for a large send after $demand', ({ forMs, everyMs, messages }) => {
    const cut = { base: PER_SECOND / 2, ceiling: PER_SECOND, goodSeconds: 0 };
    const simulation = new Simulation({
      workers: 2,
      latencyMs: 50,
      lateMs: 100,
      perSecond: PER_SECOND,
      enforcement: ENFORCEMENTS['a bucket of ten seconds']!,
      seed: 1,
    });
    simulation.state = sendUntilStart(learned(cut, START - forMs), forMs, everyMs, messages);
    simulation.clock.runUntil(START + 600_000);
    expect(simulation.accepted).toBeGreaterThan(20_000);
    expect(simulation.refused / simulation.accepted).toBeLessThan(0.05);
  });
});

describe('a learned rate under much mail', () => {
  const cut = { base: PER_SECOND / 2, ceiling: PER_SECOND, goodSeconds: 0 };

  it('is raised while most of it is used, although workers reserve a little late', () => {
    expect(rateAfter(learned(cut, START - 200_000), 200_000, 700, 10_000 / 700)).toBeGreaterThan(PER_SECOND);
  });

  it('is not raised far above twice what is used', () => {
    const used = 50;
    expect(rateAfter(learned(cut, START - HOUR), HOUR, 100, used / 10)).toBeGreaterThan(used);
    expect(rateAfter(learned(cut, START - HOUR), HOUR, 100, used / 10)).toBeLessThan(2.5 * used);
  });

  it('is kept while little mail comes afterwards', () => {
    const busy = sendUntilStart(learned(cut, START - HOUR), HOUR, 100, 10);
    const raised = rateOf(busy.learned!);
    expect(raised).toBeGreaterThan(2 * PER_SECOND);
    const later = { ...busy, nextAt: busy.nextAt - HOUR, usedAt: busy.usedAt - HOUR, cutAt: busy.cutAt - HOUR };
    expect(rateAfter(later, HOUR, 1_000, 1)).toBeCloseTo(raised, 0);
  });
});
