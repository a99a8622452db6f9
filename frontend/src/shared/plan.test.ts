import { describe, expect, it } from '@jest/globals';
import { creditText, limitText, mayUpgrade, planLabel, usageText } from './plan';

describe('the plan', () => {
  const free = { plan: 'free', dailyLimit: 1, sentToday: 0 };

  it('is described as the entitlements state it', () => {
    expect([planLabel('free'), limitText(1), limitText(25), limitText(0), limitText(null)]).toEqual([
      'Free',
      '1 send a day',
      '25 sends a day',
      '0 sends a day',
      'Unlimited sends',
    ]);
    expect([usageText(free), usageText({ ...free, dailyLimit: null, sentToday: 1200 })]).toEqual([
      '0 of 1 sent today',
      '1,200 sent today, unlimited',
    ]);
    expect([creditText('0'), creditText('1'), creditText('2')]).toEqual([
      null,
      '1 month free from referrals',
      '2 months free from referrals',
    ]);
  });

  it('is offered to Free without a referral month', () => {
    expect(mayUpgrade({ entitlements: free, referralCreditsMonths: '0' })).toBe(true);
    expect(mayUpgrade({ entitlements: free, referralCreditsMonths: '1' })).toBe(false);
    expect(mayUpgrade({ entitlements: { ...free, plan: 'pro' }, referralCreditsMonths: '0' })).toBe(false);
  });
});
