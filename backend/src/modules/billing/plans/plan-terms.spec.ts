import { describe, expect, it } from '@jest/globals';
import { accessUntilOf, mayBeOutdated, isLive, type PlanTerm, primaryOf } from './plan-terms.js';

const at = (text: string) => new Date(`${text}Z`);
const term = (over: Partial<PlanTerm> = {}): PlanTerm => ({
  stripeSubscriptionId: 'sub_1',
  status: 'active',
  planId: 'plan',
  periodStart: at('2026-03-01T00:00'),
  periodEnd: at('2026-04-01T00:00'),
  isEnding: false,
  canceledAt: null,
  endedAt: null,
  startedAt: at('2026-01-01T00:00'),
  ...over,
});

describe('access granted by a plan term', () => {
  it.each([
    ['active', at('2026-04-04T00:00')],
    ['trialing', at('2026-04-04T00:00')],
    // A failed renewal has already advanced the period, so grace counts from the period's start.
    ['past_due', at('2026-03-08T00:00')],
    ['incomplete', null],
    ['incomplete_expired', null],
    ['unpaid', null],
    ['paused', null],
    ['canceled', null],
    // A status that this version does not know.
    ['future_status', null],
    ['', null],
  ])('%s: Pro until %j', (status, until) => {
    expect(accessUntilOf(term({ status }))).toEqual(until);
  });

  it('is none for an unknown price, without a period, or without a term', () => {
    expect(accessUntilOf(term({ planId: null }))).toBeNull();
    expect(accessUntilOf(term({ periodEnd: null }))).toBeNull();
    expect(accessUntilOf(null)).toBeNull();
  });
});

describe('the primary term', () => {
  it('is the one with the best status; among equals the newest', () => {
    const order = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete', 'canceled'];
    for (const [i, status] of order.entries()) {
      const worse = order.slice(i + 1).map((other) => term({ status: other, startedAt: at('2026-05-01T00:00') }));
      expect(primaryOf([...worse, term({ status })])!.status).toBe(status);
    }
    const [old, young] = [
      term({ stripeSubscriptionId: 'old' }),
      term({ stripeSubscriptionId: 'young', startedAt: at('2026-02-01T00:00') }),
    ];
    expect(primaryOf([old, young])).toBe(young);
    expect(primaryOf([])).toBeNull();
  });

  it('counts as a plan while it runs, paid or not', () => {
    expect(['active', 'trialing', 'past_due', 'unpaid', 'paused'].every((status) => isLive({ status }))).toBe(true);
    expect(['incomplete', 'incomplete_expired', 'canceled', 'future_status'].some((status) => isLive({ status }))).toBe(
      false,
    );
  });
});

describe('a plan term', () => {
  it('may be outdated while a payment is open, and after its period', () => {
    const now = at('2026-03-15T00:00');
    expect(mayBeOutdated(term({ status: 'incomplete' }), now)).toBe(true);
    expect(mayBeOutdated(term({ status: 'past_due' }), now)).toBe(true);
    expect(mayBeOutdated(term(), now)).toBe(false);
    expect(mayBeOutdated(term(), at('2026-04-01T00:00'))).toBe(true);
    expect(mayBeOutdated(term({ status: 'canceled' }), at('2026-05-01T00:00'))).toBe(false);
  });
});
