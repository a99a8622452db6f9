import { describe, expect, it } from '@jest/globals';
import { buy, DAY, HOUR, monthsAfter, seen, termsOf, Timeline, userRow } from '../../kit/stripe/stripe.js';
import { type SignedUp } from '../../kit/users.js';
import { billing, OWN, THEIRS, referredBy, creditsOf, balanceOf } from './referral-support.js';

/** The first charge of a referred person. */
async function chargeOf(user: SignedUp) {
  return (await billing.stripe.charges.list({ customer: (await userRow(billing.app, user)).customer! })).data.at(-1)!;
}

describe('refunds and disputes', () => {
  async function earned(referrerPays: boolean) {
    const referrer = await billing.app.user();
    if (referrerPays) await buy(billing, referrer, 'monthly', OWN);
    const friend = await referredBy(referrer);
    const time = await Timeline.of(billing, friend);
    return { referrer, friend, time };
  }

  it.each([
    [10, 'all of it', 'revoked', '0'],
    [40, 'all of it', 'scheduled', '1'],
    [10, 'a part', 'scheduled', '1'],
  ] as const)('after %d days, %s, leave the month %s (38)', async (days, part, state, months) => {
    const { referrer, friend, time } = await earned(false);
    await buy(billing, friend, 'yearly', THEIRS);
    await time.forward(days * DAY);
    const charge = await chargeOf(friend);
    await billing.stripe.refunds.create({ charge: charge.id, ...(part === 'a part' && { amount: 500 }) });
    await billing.settled();
    expect(await creditsOf(referrer)).toMatchObject([{ state }]);
    billing.clock.setTo(new Date(Date.now() + 10 * DAY * 1000));
    expect((await seen(referrer)).referralCreditsMonths).toBe(months);
    const ended = part === 'all of it';
    expect(await termsOf(billing.app, friend)).toMatchObject([{ status: ended ? 'canceled' : 'active' }]);
  });

  it('revoke the credit of a paying referrer, and never more', async () => {
    const { referrer, friend } = await earned(true);
    await buy(billing, friend, 'monthly', THEIRS);
    expect(await balanceOf(referrer)).toBe(-1000);
    await billing.stripe.refunds.create({ charge: (await chargeOf(friend)).id });
    await billing.settled();
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'revoked', reason: 'refund' }]);
    expect(await balanceOf(referrer)).toBe(0);
    expect((await seen(referrer)).tier).toBe('pro');
  });

  it.each([
    ['lost', 'canceled', 'revoked'],
    ['won', 'active', 'scheduled'],
  ] as const)('for a dispute that is %s leave the plan %s and the month %s (39)', async (outcome, status, state) => {
    const { referrer, friend } = await earned(false);
    await buy(billing, friend, 'monthly', 'pm_card_createDispute');
    const charge = await chargeOf(friend);
    const [dispute] = (await billing.stripe.disputes.list({ charge: charge.id })).data;
    expect(await termsOf(billing.app, friend)).toMatchObject([{ status: 'active' }]);
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'scheduled' }]);
    if (outcome === 'lost') await billing.stripe.disputes.close(dispute!.id);
    else await billing.stripe.disputes.update(dispute!.id, { evidence: { uncategorized_text: 'winning_evidence' } });
    await billing.settled();
    expect(await termsOf(billing.app, friend)).toMatchObject([{ status }]);
    expect(await creditsOf(referrer)).toMatchObject([{ state }]);
    expect((await seen(friend)).tier).toBe(outcome === 'lost' ? 'free' : 'pro');
  });

  it('after the credit month was consumed revoke the credit and charge the referrer nothing', async () => {
    const referrer = await billing.app.user();
    const time = await Timeline.of(billing, referrer);
    await buy(billing, referrer, 'monthly', OWN);
    const friend = await referredBy(referrer);
    await buy(billing, friend, 'monthly', THEIRS);
    await time.goTo(monthsAfter(time.now, 1) + 2 * HOUR);
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'consumed' }]);
    billing.clock.setTo(new Date());
    await billing.stripe.refunds.create({ charge: (await chargeOf(friend)).id });
    await billing.settled();
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'revoked', reason: 'uncollected' }]);
    expect(await balanceOf(referrer)).toBe(0);
  });
});
