import { randomBytes } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { PlanSync } from '../../../src/modules/billing/plans/plan-sync.service.js';
import { ReferralCredits } from '../../../src/modules/referrals/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import {
  buy,
  create,
  HOUR,
  monthsAfter,
  onPage,
  pay,
  seen,
  termsOf,
  Timeline,
  userRow,
} from '../../kit/stripe/stripe.js';
import { type SignedUp } from '../../kit/users.js';
import { billing, OWN, THEIRS, referredBy, creditsOf, balanceOf } from './referral-support.js';

const invoicesOf = async (user: SignedUp) =>
  (await billing.stripe.invoices.list({ customer: (await userRow(billing.app, user)).customer! })).data.map(
    ({ amount_due, total, status }) => ({ due: amount_due, total, status }),
  );

describe('a referred person pays', () => {
  it('and the plan names their invite, if any', async () => {
    const referrer = await billing.app.user();
    const invitee = `i${randomBytes(5).toString('hex')}@referred.test`;
    await referrer.agent.post('/api/referrals/invite').send({ inviteeEmail: invitee }).expect(201);
    const [invited, linked] = [await referredBy(referrer, invitee), await referredBy(referrer)];
    await buy(billing, invited, 'monthly', THEIRS);
    await buy(billing, linked, 'monthly', OWN);
    const invitationOf = (user: SignedUp) =>
      rows(
        billing.app.em(),
        'select invite_id as id from referral_conversions where referred_user_id = ? and invite_id is not null limit 1',
        [user.id],
      );
    const [{ id }] = (await invitationOf(invited)) as [{ id: string }];
    const named = async (user: SignedUp) =>
      rows(billing.app.em(), 'select referral_invite_id as id from user_subscriptions where user_id = ?', [user.id]);
    expect(await named(invited)).toEqual([{ id }]);
    expect(await named(linked)).toEqual([{ id: null }]);
    const lookups = jest.spyOn(billing.app.get(ReferralCredits), 'signupOf');
    await billing.app.em().transactional((em) => billing.app.get(PlanSync).run(em, invited.id));
    expect(lookups).toHaveBeenCalledTimes(1);
    lookups.mockRestore();
  });

  it('and a referrer on Free gets a month of Pro, until its end', async () => {
    const referrer = await billing.app.user();
    const friend = await referredBy(referrer);
    const time = await Timeline.of(billing, friend);
    await buy(billing, friend, 'monthly', THEIRS);
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'scheduled' }]);
    expect(
      await rows(
        billing.app.em(),
        `select conversion_type as type from referral_conversions where referred_user_id = ? order by 1`,
        [friend.id],
      ),
    ).toEqual([{ type: 'paid' }, { type: 'signup' }]);
    expect(await seen(referrer)).toMatchObject({
      hasSubscription: false,
      referralCreditsMonths: '1',
      tier: 'pro',
      dailyLimit: null,
    });
    await time.goTo(monthsAfter(time.now, 1) + 5 * 60);
    expect(await seen(referrer)).toMatchObject({ referralCreditsMonths: '0', tier: 'free', dailyLimit: 1 });
  });

  it('without an event, and the first status call credits the month', async () => {
    const referrer = await billing.app.user();
    const friend = await referredBy(referrer);
    const { clientSecret } = await create(billing, friend);
    await billing.settled();
    billing.simulator!.deliveries.faults = { drop: true };
    await pay(billing, clientSecret, THEIRS);
    billing.simulator!.deliveries.faults = {};
    expect(await creditsOf(referrer)).toEqual([]);
    expect((await seen(friend)).tier).toBe('pro');
    expect(await creditsOf(referrer)).toHaveLength(1);
  });

  it.each([
    ['monthly', -1000, 0],
    ['yearly', -800, 8800],
  ] as const)('and a referrer who pays %s gets %d cents off the next invoice (35)', async (period, balance, due) => {
    const referrer = await billing.app.user();
    const time = await Timeline.of(billing, referrer);
    await buy(billing, referrer, period, OWN);
    await buy(billing, await referredBy(referrer), 'monthly', THEIRS);
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'credited', cents: -balance }]);
    expect(await balanceOf(referrer)).toBe(balance);
    expect((await seen(referrer)).referralCreditsMonths).toBe('1');
    await time.goTo(monthsAfter(time.now, period === 'monthly' ? 1 : 12) + 2 * HOUR);
    expect((await invoicesOf(referrer))[0]).toMatchObject({ due, status: 'paid' });
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'consumed' }]);
    expect(await seen(referrer)).toMatchObject({ referralCreditsMonths: '0', tier: 'pro' });
    expect(await balanceOf(referrer)).toBe(0);
  });

  it("and no month is credited for the referrer's own card, or twice", async () => {
    const referrer = await billing.app.user();
    await buy(billing, referrer, 'monthly', OWN);
    const friend = await referredBy(referrer);
    await buy(billing, friend, 'monthly', OWN);
    expect((await seen(friend)).tier).toBe('pro');
    expect(await creditsOf(referrer)).toEqual([]);
    const self = await billing.app.user();
    const other = await referredBy(self);
    await buy(billing, other, 'monthly', THEIRS);
    await other.agent.post('/api/stripe/cancel-subscription').send({ immediately: true }).expect(200);
    await buy(billing, other, 'monthly', THEIRS);
    expect(await creditsOf(self)).toHaveLength(1);
  });
});

describe('free months and a plan', () => {
  it('that is bought later: the first charge is full, the months become credit', async () => {
    const referrer = await billing.app.user();
    for (const _ of [1, 2])
      await buy(
        billing,
        await referredBy(referrer),
        'monthly',
        _ === 1 ? THEIRS : 'pm_card_threeDSecure2Required',
      ).catch(() => undefined);
    await confirmChallenges();
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'scheduled' }, { state: 'scheduled' }]);
    await buy(billing, referrer, 'monthly', OWN);
    expect(await invoicesOf(referrer)).toEqual([{ due: 1000, total: 1000, status: 'paid' }]);
    expect(await creditsOf(referrer)).toMatchObject([
      { state: 'credited', cents: 1000 },
      { state: 'credited', cents: 1000 },
    ]);
    expect(await balanceOf(referrer)).toBe(-2000);
    expect((await seen(referrer)).referralCreditsMonths).toBe('2');
  });

  it('that will end: the months start afterwards', async () => {
    const referrer = await billing.app.user();
    const time = await Timeline.of(billing, referrer);
    await buy(billing, referrer, 'monthly', OWN);
    await buy(billing, await referredBy(referrer), 'monthly', THEIRS);
    expect(await balanceOf(referrer)).toBe(-1000);
    await referrer.agent.post('/api/stripe/cancel-subscription').send({ immediately: false }).expect(200);
    expect(await balanceOf(referrer)).toBe(0);
    const [term] = await termsOf(billing.app, referrer);
    const end = Number(term!.end) / 1000;
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'scheduled', starts: end, ends: monthsAfter(end, 1) }]);
    await time.goTo(end + 5 * HOUR);
    expect(await seen(referrer)).toMatchObject({ hasSubscription: false, tier: 'pro', referralCreditsMonths: '1' });
    await time.goTo(monthsAfter(end, 1) + HOUR);
    expect(await seen(referrer)).toMatchObject({ tier: 'free', referralCreditsMonths: '0' });
  });

  it('that is reactivated: the months become credit again, without a double payment', async () => {
    const referrer = await billing.app.user();
    await buy(billing, referrer, 'monthly', OWN);
    await buy(billing, await referredBy(referrer), 'monthly', THEIRS);
    for (const _ of [1, 2]) {
      await referrer.agent.post('/api/stripe/cancel-subscription').send({ immediately: false }).expect(200);
      await referrer.agent.post('/api/stripe/reactivate-subscription').expect(200);
    }
    await billing.settled();
    expect(await balanceOf(referrer)).toBe(-1000);
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'credited' }]);
  });

  it('that ends at once: the months start at once', async () => {
    const referrer = await billing.app.user();
    await buy(billing, referrer, 'yearly', OWN);
    await buy(billing, await referredBy(referrer), 'monthly', THEIRS);
    await referrer.agent.post('/api/stripe/cancel-subscription').send({ immediately: false }).expect(200);
    await referrer.agent.post('/api/stripe/cancel-subscription').send({ immediately: true }).expect(200);
    expect(await seen(referrer)).toMatchObject({ hasSubscription: false, tier: 'pro', referralCreditsMonths: '1' });
  });
});

/** Completes every pending 3-D Secure challenge. */
async function confirmChallenges(): Promise<void> {
  for (const intent of billing.simulator!.account.all('payment_intents')) {
    if (intent.status === 'requires_action')
      await onPage(billing, intent.next_action!.redirect_to_url!.url!, { outcome: 'pass' });
  }
  await billing.settled();
}
