import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import type { EntityManager } from '@mikro-orm/postgresql';
import { PlanSync } from '../../../src/modules/billing/plan-sync.service.js';
import { ReferralCredits } from '../../../src/modules/referrals/index.js';
import { rows } from '../../../src/shared/database/rows.js';
import { type Billing, buy, create, DAY, HOUR, monthsAfter, onPage, pay, seen, startBilling, termsOf, Timeline, userRow } from '../../kit/stripe.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';

let billing: Billing;

beforeAll(async () => {
  billing = await startBilling();
}, 120_000);
afterEach(() => billing.clock.turnTo(new Date()));
afterAll(() => billing.close());

/** Cards that the people of a pair pay with: the same card would earn nothing. */
const OWN = 'pm_card_visa';
const THEIRS = 'pm_card_mastercard';

/** A person who came by somebody's link. */
async function referredBy(referrer: SignedUp, email = `r${randomBytes(5).toString('hex')}@referred.test`): Promise<SignedUp> {
  const [{ code }] = (await rows<{ code: string }>(billing.app.em(), 'select referral_code as code from users where id = ?', [referrer.id])) as [{ code: string }];
  const agent = request.agent(billing.app.url);
  const body = { email, password: PASSWORD, firstName: 'Rob', lastName: 'Newman', role: 'recruiter', referralCode: code };
  const { body: answer } = await agent.post('/api/auth/register').send(body).expect(201);
  return { id: answer.user.id as string, email, agent };
}

interface Credit { state: string; starts: number | null; ends: number | null; cents: number | null; reason: string | null }
const creditsOf = async (user: SignedUp): Promise<Credit[]> =>
  (await rows<{ state: string; starts_at: string | null; ends_at: string | null; cents: number | null; reason: string | null }>(
    billing.app.em(), 'select state, starts_at, ends_at, cents, reason from referral_credits where user_id = ? order by earned_at, id', [user.id],
  )).map((row) => ({ state: row.state, cents: row.cents, reason: row.reason, starts: row.starts_at && +new Date(row.starts_at) / 1000, ends: row.ends_at && +new Date(row.ends_at) / 1000 }) as Credit);

const balanceOf = async (user: SignedUp): Promise<number> => {
  const customer = await billing.stripe.customers.retrieve((await userRow(billing.app, user)).customer!);
  return customer.deleted ? NaN : customer.balance;
};

const invoicesOf = async (user: SignedUp) =>
  (await billing.stripe.invoices.list({ customer: (await userRow(billing.app, user)).customer! })).data.map(({ amount_due, total, status }) => ({ due: amount_due, total, status }));

/** What a referred person's first charge was. */
async function chargeOf(user: SignedUp) {
  return (await billing.stripe.charges.list({ customer: (await userRow(billing.app, user)).customer! })).data.at(-1)!;
}

describe('a referred person pays', () => {
  it('and the plan names the invitation that brought them, where there was one', async () => {
    const referrer = await billing.app.user();
    const invitee = `i${randomBytes(5).toString('hex')}@referred.test`;
    await referrer.agent.post('/api/referrals/invite').send({ inviteeEmail: invitee }).expect(201);
    const [invited, linked] = [await referredBy(referrer, invitee), await referredBy(referrer)];
    await buy(billing, invited, 'monthly', THEIRS);
    await buy(billing, linked, 'monthly', OWN);
    const invitationOf = (user: SignedUp) => rows(billing.app.em(), 'select invite_id as id from referral_conversions where referred_user_id = ? and invite_id is not null limit 1', [user.id]);
    const [{ id }] = (await invitationOf(invited)) as [{ id: string }];
    const named = async (user: SignedUp) => rows(billing.app.em(), 'select referral_invite_id as id from user_subscriptions where user_id = ?', [user.id]);
    expect(await named(invited)).toEqual([{ id }]);
    expect(await named(linked)).toEqual([{ id: null }]);
    const lookups = jest.spyOn(billing.app.get(ReferralCredits), 'signupOf');
    await billing.app.em().transactional((em) => billing.app.get(PlanSync).run(em as EntityManager, invited.id));
    expect(lookups).toHaveBeenCalledTimes(1);
    lookups.mockRestore();
  });

  it('and a referrer on Free has a month of Pro, to its end (34)', async () => {
    const referrer = await billing.app.user();
    const friend = await referredBy(referrer);
    const time = await Timeline.of(billing, friend);
    await buy(billing, friend, 'monthly', THEIRS);
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'scheduled' }]);
    expect(await rows(billing.app.em(), `select conversion_type as type from referral_conversions where referred_user_id = ? order by 1`, [friend.id]))
      .toEqual([{ type: 'paid' }, { type: 'signup' }]);
    expect(await seen(referrer)).toMatchObject({ hasSubscription: false, referralCreditsMonths: '1', tier: 'pro', dailyLimit: null });
    await time.goTo(monthsAfter(time.now, 1) + 5 * 60);
    expect(await seen(referrer)).toMatchObject({ referralCreditsMonths: '0', tier: 'free', dailyLimit: 1 });
  });

  it('unheard, and the first look at the status earns the month all the same (8)', async () => {
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

  it.each([['monthly', -1000, 0], ['yearly', -800, 8800]] as const)('and a referrer who pays %s is owed %d cents on the next invoice (35)', async (period, balance, due) => {
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

  it('and no month is earned by one\'s own card, or twice (40)', async () => {
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

describe('months and a plan', () => {
  it('that is bought later: the first charge is whole, the months wait as credit (36)', async () => {
    const referrer = await billing.app.user();
    for (const _ of [1, 2]) await buy(billing, await referredBy(referrer), 'monthly', _ === 1 ? THEIRS : 'pm_card_threeDSecure2Required').catch(() => undefined);
    await confirmChallenges();
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'scheduled' }, { state: 'scheduled' }]);
    await buy(billing, referrer, 'monthly', OWN);
    expect(await invoicesOf(referrer)).toEqual([{ due: 1000, total: 1000, status: 'paid' }]);
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'credited', cents: 1000 }, { state: 'credited', cents: 1000 }]);
    expect(await balanceOf(referrer)).toBe(-2000);
    expect((await seen(referrer)).referralCreditsMonths).toBe('2');
  });

  it('that is to end: the months follow it (37)', async () => {
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

  it('that goes on after all: they are money again, and nothing is paid twice', async () => {
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

  it('whose end comes at once: they start at once', async () => {
    const referrer = await billing.app.user();
    await buy(billing, referrer, 'yearly', OWN);
    await buy(billing, await referredBy(referrer), 'monthly', THEIRS);
    await referrer.agent.post('/api/stripe/cancel-subscription').send({ immediately: false }).expect(200);
    await referrer.agent.post('/api/stripe/cancel-subscription').send({ immediately: true }).expect(200);
    expect(await seen(referrer)).toMatchObject({ hasSubscription: false, tier: 'pro', referralCreditsMonths: '1' });
  });
});

describe('money that goes back', () => {
  async function earned(referrerPays: boolean) {
    const referrer = await billing.app.user();
    if (referrerPays) await buy(billing, referrer, 'monthly', OWN);
    const friend = await referredBy(referrer);
    const time = await Timeline.of(billing, friend);
    return { referrer, friend, time };
  }

  it.each([[10, 'all of it', 'revoked', '0'], [40, 'all of it', 'scheduled', '1'], [10, 'a part', 'scheduled', '1']] as const)(
    'after %d days, %s, leaves the month %s (38)', async (days, part, state, months) => {
      const { referrer, friend, time } = await earned(false);
      await buy(billing, friend, 'yearly', THEIRS);
      await time.forward(days * DAY);
      const charge = await chargeOf(friend);
      await billing.stripe.refunds.create({ charge: charge.id, ...(part === 'a part' && { amount: 500 }) });
      await billing.settled();
      expect(await creditsOf(referrer)).toMatchObject([{ state }]);
      billing.clock.turnTo(new Date(Date.now() + 10 * DAY * 1000));
      expect((await seen(referrer)).referralCreditsMonths).toBe(months);
      const ended = part === 'all of it';
      expect(await termsOf(billing.app, friend)).toMatchObject([{ status: ended ? 'canceled' : 'active' }]);
    });

  it('takes the credit of a paying referrer, and never more than it (38)', async () => {
    const { referrer, friend } = await earned(true);
    await buy(billing, friend, 'monthly', THEIRS);
    expect(await balanceOf(referrer)).toBe(-1000);
    await billing.stripe.refunds.create({ charge: (await chargeOf(friend)).id });
    await billing.settled();
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'revoked', reason: 'refund' }]);
    expect(await balanceOf(referrer)).toBe(0);
    expect((await seen(referrer)).tier).toBe('pro');
  });

  it.each([['lost', 'canceled', 'revoked'], ['won', 'active', 'scheduled']] as const)('by a dispute that is %s: the plan is %s, the month %s (39)', async (outcome, status, state) => {
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

  it('after the month was used up leaves no debt', async () => {
    const referrer = await billing.app.user();
    const time = await Timeline.of(billing, referrer);
    await buy(billing, referrer, 'monthly', OWN);
    const friend = await referredBy(referrer);
    await buy(billing, friend, 'monthly', THEIRS);
    await time.goTo(monthsAfter(time.now, 1) + 2 * HOUR);
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'consumed' }]);
    billing.clock.turnTo(new Date());
    await billing.stripe.refunds.create({ charge: (await chargeOf(friend)).id });
    await billing.settled();
    expect(await creditsOf(referrer)).toMatchObject([{ state: 'revoked', reason: 'uncollected' }]);
    expect(await balanceOf(referrer)).toBe(0);
  });
});

/** Passes every 3-D Secure question that waits. */
async function confirmChallenges(): Promise<void> {
  for (const intent of billing.simulator!.account.all('payment_intents')) {
    if (intent.status === 'requires_action') await onPage(billing, intent.next_action!.redirect_to_url!.url!, { outcome: 'pass' });
  }
  await billing.settled();
}
