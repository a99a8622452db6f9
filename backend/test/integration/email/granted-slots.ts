import { expect } from '@jest/globals';
import type { Reservation } from '../../../src/modules/mail-accounts/rate-limits/rate-limit.js';
import { RateStore } from '../../../src/modules/mail-accounts/rate-limits/rate-store.js';
import type { TestApp } from '../../kit/app.js';

/** Ms by which a message may be early, because the product and the clocks count whole milliseconds. */
const EARLY_MS = 5;

export interface GrantedSlots {
  /** Send times that the limiter granted, by the database's clock. */
  slots: number[];
  /** Ms between the send times of one grant. */
  intervals: Set<number>;
  forget: () => void;
}

/**
 * Records the send times that a limiter grants from now on: the limiter of a provider, or `*` for an account's own
 * rate.
 */
export function grantedSlots(app: TestApp, provider: string): GrantedSlots {
  const store = app.get(RateStore);
  const found: GrantedSlots = {
    slots: [],
    intervals: new Set(),
    forget: () => void Reflect.deleteProperty(store, 'change'),
  };
  store.change = (account, providers, change, answer) =>
    RateStore.prototype.change.call(
      store,
      account,
      providers,
      (states, now) => {
        const changed = change(states, now);
        const reservation = changed.result instanceof Map ? (changed.result.get(provider) as Reservation) : undefined;
        if (reservation && reservation.granted > 0) {
          found.intervals.add(reservation.intervalMs);
          for (let n = 0; n < reservation.granted; n++)
            found.slots.push(now + reservation.startsInMs + n * reservation.intervalMs);
        }
        return changed;
      },
      answer,
    ) as never;
  return found;
}

/**
 * Expects that every message has its own send time and that none arrives before it, however slow the machine is.
 * @param batch number of messages that leave together at the first of their send times
 */
export function expectPaced(
  arrivals: readonly { at: number }[],
  { slots, intervals }: GrantedSlots,
  { perSecond, batch }: { perSecond: number; batch: number },
): void {
  const [times, granted] = [arrivals.map(({ at }) => at), slots].map((all) => [...all].sort((a, b) => a - b));
  expect([...intervals]).toEqual([1000 / perSecond]);
  expect(granted!.length).toBeGreaterThanOrEqual(times!.length);
  const apart = granted!.slice(1).map((slot, n) => slot - granted![n]!);
  expect(apart.filter((ms) => ms < 1000 / perSecond - 0.01)).toEqual([]);
  expect(times!.slice(batch).filter((at, n) => at < granted![n + 1]! - EARLY_MS)).toEqual([]);
}
