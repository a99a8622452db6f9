import { describe, expect, it } from '@jest/globals';
import { entitlements, type EntitlementFacts } from './entitlements.js';

const now = new Date('2026-03-01T12:00:00Z');
const of = (facts: Partial<EntitlementFacts>) => entitlements({ tier: 'free', customDailyLimit: null, ...facts }, now, 1);

describe('what an account may do', () => {
  it('limits the free plan to the configured number', () => {
    expect(of({})).toEqual({ plan: 'free', dailyLimit: 1 });
    expect(entitlements({ tier: 'free', customDailyLimit: null }, now, 5).dailyLimit).toBe(5);
  });

  it('has no limit for Pro and any other tier', () => {
    expect(of({ tier: 'pro' })).toEqual({ plan: 'pro', dailyLimit: null });
    expect(of({ tier: 'enterprise' })).toEqual({ plan: 'enterprise', dailyLimit: null });
  });

  it('counts a running referral month as Pro, to the very moment it ends', () => {
    expect(of({ referralAccessUntil: new Date(now.getTime() + 1) })).toEqual({ plan: 'pro', dailyLimit: null });
    expect(of({ referralAccessUntil: now })).toEqual({ plan: 'free', dailyLimit: 1 });
  });

  it('lets a custom limit override every plan, zero included', () => {
    expect(of({ customDailyLimit: '3' }).dailyLimit).toBe(3);
    expect(of({ tier: 'pro', customDailyLimit: '0' }).dailyLimit).toBe(0);
    expect(of({ referralAccessUntil: new Date('2027-01-01'), customDailyLimit: '2' })).toEqual({ plan: 'pro', dailyLimit: 2 });
  });

  it('ignores a malformed custom limit', () => {
    expect(of({ customDailyLimit: '-1' }).dailyLimit).toBe(1);
    expect(of({ customDailyLimit: '' }).dailyLimit).toBe(1);
  });
});
