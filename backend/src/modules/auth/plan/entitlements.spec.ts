import { describe, expect, it } from '@jest/globals';
import { entitlements, type EntitlementFacts, freeMonths } from './entitlements.js';

const now = new Date('2026-03-01T12:00:00Z');
const later = new Date(now.getTime() + 1);
const of = (facts: Partial<EntitlementFacts>) =>
  entitlements({ tier: 'free', customDailyLimit: null, ...facts }, now, 1);

describe('entitlements of an account', () => {
  it('limit the Free plan to the configured number', () => {
    expect(of({})).toEqual({ plan: 'free', source: 'none', until: null, dailyLimit: 1, limitScope: 'mailbox' });
    expect(entitlements({ tier: 'free', customDailyLimit: null }, now, 5).dailyLimit).toBe(5);
  });

  it('set no limit for a paid plan, until exactly the end of its access', () => {
    expect(of({ tier: 'pro', planAccessUntil: later })).toEqual({
      plan: 'pro',
      source: 'subscription',
      until: later,
      dailyLimit: null,
      limitScope: 'account',
    });
    expect(of({ tier: 'pro', planAccessUntil: now })).toMatchObject({ plan: 'free', dailyLimit: 1 });
    expect(of({ planAccessUntil: later }).plan).toBe('pro');
  });

  it('never rely on the stored tier alone', () => {
    expect(of({ tier: 'pro' })).toMatchObject({ plan: 'free', dailyLimit: 1 });
  });

  it('distinguish the grace period from a paid plan', () => {
    expect(of({ planAccessUntil: later, subscriptionStatus: 'past_due' })).toMatchObject({
      plan: 'pro',
      source: 'grace',
    });
  });

  it('keep a manually set tier, whatever billing says', () => {
    for (const subscriptionStatus of ['active', 'canceled', null]) {
      expect(of({ tier: 'enterprise', subscriptionStatus })).toEqual({
        plan: 'enterprise',
        source: 'manual',
        until: null,
        dailyLimit: null,
        limitScope: 'account',
      });
    }
  });

  it('count a running referral month as Pro, until exactly its end', () => {
    expect(of({ referralAccessUntil: later })).toEqual({
      plan: 'pro',
      source: 'referral',
      until: later,
      dailyLimit: null,
      limitScope: 'account',
    });
    expect(of({ referralAccessUntil: now })).toMatchObject({ plan: 'free', dailyLimit: 1 });
    expect(of({ referralAccessFrom: later, referralAccessUntil: new Date('2027-01-01') }).plan).toBe('free');
    expect(of({ referralAccessFrom: now, referralAccessUntil: new Date('2027-01-01') }).plan).toBe('pro');
  });

  it.each([
    ['25', 25, 25],
    ['0', 0, 0],
    ['abc', 1, null],
    ['-1', 1, null],
    ['', 1, null],
    [null, 1, null],
  ])('with a custom limit of %j allow %j sends on Free and %j on Pro', (customDailyLimit, onFree, onPro) => {
    expect(of({ customDailyLimit }).dailyLimit).toBe(onFree);
    expect(of({ customDailyLimit, planAccessUntil: later }).dailyLimit).toBe(onPro);
  });
});

describe('credited referral months', () => {
  it('include scheduled and credited ones', () => {
    const ends = ['2026-02-28T00:00:00.000Z', now.toISOString(), later.toISOString(), '2026-05-01T00:00:00.000Z'];
    expect(freeMonths({ referralMonthEnds: ends, referralMonthsCredited: 2 }, now)).toBe(4);
    expect(freeMonths({ referralMonthEnds: [], referralMonthsCredited: 0 }, now)).toBe(0);
  });
});
