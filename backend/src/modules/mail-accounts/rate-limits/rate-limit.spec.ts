import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rateOf } from './learned-rate.js';
import { batchOf, type LimiterState, NEVER_USED, rateInForce, cutRate, reserve } from './rate-limit.js';

const FLOOR = 1 / 60;

/** A stream of messages through a limiter, with a simulated clock. */
class Stream {
  now = 1_800_000_000_000;
  sent = 0;
  readonly times: number[] = [];
  state: LimiterState = NEVER_USED;

  constructor(readonly request: { most: number; start?: number }) {}

  /** Sends until `messages` messages are out; each wake-up is `lateMs` late. */
  run(messages: number, lateMs = 0): void {
    while (this.sent < messages) {
      const { state, reservation } = reserve(
        this.state,
        { ...this.request, wanted: messages - this.sent, lookaheadMs: 250 },
        this.now,
      );
      if (reservation.granted === 0) {
        this.now += reservation.retryInMs + lateMs;
        continue;
      }
      this.state = state;
      this.now += Math.max(0, reservation.startsInMs);
      this.sent += reservation.granted;
      this.times.push(this.now);
    }
  }
}

describe('a rate limiter', () => {
  it.each([
    [1, 2_000],
    [7, 20_000],
    [10, 100_000],
    [333, 300_000],
  ])('of %d a second grants %d in the expected time, within 2 %%', (most, messages) => {
    const stream = new Stream({ most });
    const start = stream.now;
    stream.run(messages, 120);
    const expected = (messages - batchOf(most)) / most;
    expect((stream.now - start) / 1000 / expected).toBeGreaterThan(0.98);
    expect((stream.now - start) / 1000 / expected).toBeLessThan(1.02);
  });

  it('is steady from the first second on', () => {
    const stream = new Stream({ most: 1 });
    const start = stream.now;
    stream.run(20);
    expect(stream.times.map((at) => Math.round((at - start) / 1000))).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('grants longer batches to callers that spread them, except where a provider may cut the rate', () => {
    const request = { most: 10, wanted: 500, lookaheadMs: 500, batchMs: 2_000 };
    expect(reserve(NEVER_USED, request, 1_000).reservation).toMatchObject({ granted: 20, intervalMs: 100 });
    expect(reserve(NEVER_USED, { ...request, start: 10 }, 1_000).reservation).toMatchObject({
      granted: 5,
      intervalMs: 100,
    });
  });

  it('grants several callers together no more than the rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 600 })), {
          minLength: 20,
          maxLength: 200,
        }),
        (most, asked) => {
          let now = 1_800_000_000_000;
          const start = now;
          let state = NEVER_USED;
          let last = 0;
          let granted = 0;
          for (const [later, wanted] of asked) {
            now += later;
            const answer = reserve(state, { most, wanted, lookaheadMs: 250 }, now);
            state = answer.state;
            granted += answer.reservation.granted;
            if (answer.reservation.granted > 0) last = now + answer.reservation.startsInMs;
          }
          expect(granted).toBeLessThanOrEqual(((Math.max(last, now) - start) / 1000 + 1) * most + batchOf(most));
        },
      ),
    );
  });

  it('grants every request where nothing limits it', () => {
    expect(reserve(NEVER_USED, { most: Infinity, wanted: 5_000, lookaheadMs: 0 }, 1).reservation).toEqual({
      granted: 5_000,
      startsInMs: 0,
      intervalMs: 0,
      retryInMs: 0,
    });
  });

  it('is cut once for all messages in flight', () => {
    const now = 1_800_000_000_000;
    const rates = { measured: 100, most: Infinity, floor: FLOOR };
    const first = cutRate(NEVER_USED, { ...rates, begunAt: now - 50 }, now);
    expect(rateOf(first.learned!)).toBe(50);
    const second = cutRate(first, { ...rates, begunAt: now - 20 }, now + 500);
    expect(second).toBe(first);
    const third = cutRate(first, { ...rates, begunAt: now + 5_000 }, now + 5_100);
    expect(rateOf(third.learned!)).toBe(25);
    expect(reserve(first, { most: Infinity, wanted: 1, lookaheadMs: 0 }, now + 10).reservation.granted).toBe(0);
  });

  it("never exceeds the account's own limit, whatever the provider accepts", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.double({ min: 0.1, max: 5_000, noNaN: true }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (most, base, goodSeconds) => {
          expect(
            rateInForce({ ...NEVER_USED, learned: { base, ceiling: base * 2, goodSeconds } }, { most }),
          ).toBeLessThanOrEqual(most);
        },
      ),
    );
  });
});

describe('a limiter whose clock is set back five minutes', () => {
  const MINUTES = 300_000;

  it.each([
    ['of the settings', { most: 20 }],
    ['that is learned', { most: Infinity, start: 20 }],
  ])('grants at its rate %s again at once, and no faster', (_name, request) => {
    const stream = new Stream(request);
    stream.run(500);
    stream.now -= MINUTES;
    const [start, sent] = [stream.now, stream.sent];
    stream.run(sent + 400);
    expect((stream.now - start) / 1000).toBeGreaterThan(17);
    expect((stream.now - start) / 1000).toBeLessThan(22);
  });

  it('measures the use of a learned rate from the set-back on', () => {
    const stream = new Stream({ most: Infinity, start: 20 });
    stream.run(500);
    stream.now -= MINUTES;
    const sent = stream.sent;
    stream.run(sent + 20);
    const before = stream.state.learned!.goodSeconds;
    stream.run(sent + 400);
    expect(stream.state.learned!.goodSeconds).toBeGreaterThan(before + 10);
  });

  it('keeps pauses, and the interval of slow messages, that end in the future', () => {
    const now = 1_800_000_000_000;
    const request = { most: 1 / 60, wanted: 1, lookaheadMs: 250 };
    const { state } = reserve(NEVER_USED, request, now);
    expect(reserve(state, request, now + 50_000).reservation.granted).toBe(0);
    const paused = { ...NEVER_USED, cutAt: now, pausedUntil: now + 1_800_000, nextAt: now };
    expect(reserve(paused, { ...request, most: 10 }, now + 1_000).reservation.granted).toBe(0);
  });
});

/** A provider that accepts a fixed number of messages per second and refuses the excess. */
class Provider {
  private tokens: number;
  private at: number;
  accepted = 0;
  refused = 0;

  constructor(
    private readonly perSecond: number,
    now: number,
  ) {
    this.tokens = perSecond;
    this.at = now;
  }

  take(now: number): boolean {
    this.tokens = Math.min(this.perSecond, this.tokens + ((now - this.at) / 1000) * this.perSecond);
    this.at = now;
    if (this.tokens < 1) {
      this.refused++;
      return false;
    }
    this.tokens--;
    this.accepted++;
    return true;
  }
}

describe('a provider that enforces a rate', () => {
  it.each([[5], [20], [100], [400]])(
    'of %d a second gets most of that rate after two minutes, with few refusals',
    (perSecond) => {
      let now = 1_800_000_000_000;
      const start = now;
      const provider = new Provider(perSecond, now);
      let state = NEVER_USED;
      let [acceptedAtTwo, refusedAtTwo] = [0, 0];
      const taken: number[] = [];
      while (now < start + 600_000) {
        const { state: after, reservation } = state.learned
          ? reserve(state, { most: Infinity, wanted: 500, lookaheadMs: 250 }, now)
          : { state, reservation: { granted: 500, startsInMs: 0, intervalMs: 0, retryInMs: 0 } };
        if (reservation.granted === 0) {
          now += reservation.retryInMs + 20;
          continue;
        }
        state = after;
        now += Math.max(0, reservation.startsInMs);
        // Ten messages go out at a time and take 5 ms; the first refusal stops the rest of the batch.
        for (let n = 0; n < reservation.granted; n += 10) {
          let isRefused = false;
          for (let i = n; i < Math.min(n + 10, reservation.granted); i++) {
            if (provider.take(now)) taken.push(now);
            else isRefused = true;
          }
          if (isRefused) {
            const measured = taken.filter((at) => at > now - 2_000).length / 2;
            state = cutRate(state, { begunAt: now, measured, most: Infinity, floor: FLOOR }, now + 5);
            break;
          }
          now += 5;
        }
        if (acceptedAtTwo === 0 && now >= start + 120_000)
          [acceptedAtTwo, refusedAtTwo] = [provider.accepted, provider.refused];
      }
      const seconds = (now - start) / 1000 - 120;
      expect((provider.accepted - acceptedAtTwo) / seconds / perSecond).toBeGreaterThan(0.8);
      expect((provider.refused - refusedAtTwo) / (provider.accepted - acceptedAtTwo)).toBeLessThan(0.05);
      expect(provider.refused / provider.accepted).toBeLessThan(0.05);
    },
  );
});
