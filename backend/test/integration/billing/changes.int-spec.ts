import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Billing,
  buy,
  create,
  DAY,
  DRIVERS,
  HOUR,
  inPortal,
  monthsAfter,
  offer,
  onPage,
  pay,
  seen,
  startBilling,
  termsOf,
  Timeline,
  userRow,
} from '../../kit/stripe/stripe.js';
import type { SignedUp } from '../../kit/users.js';

describe.each(DRIVERS)('on %s', (driver) => {
  const onSimulator = driver === DRIVERS[0] ? describe : describe.skip;
  let billing: Billing;

  beforeAll(async () => {
    billing = await startBilling({ driver });
  });
  afterEach(() => billing.clock.setTo(new Date()));
  afterAll(() => billing.close());

  const cancel = (user: SignedUp, immediately: boolean, status = 200) =>
    user.agent.post('/api/stripe/cancel-subscription').send({ immediately }).expect(status);
  const reactivate = (user: SignedUp, status = 200) =>
    user.agent.post('/api/stripe/reactivate-subscription').expect(status);
  const atStripe = async (user: SignedUp) =>
    billing.stripe.subscriptions.retrieve((await userRow(billing.app, user)).subscription!);

  async function subscriber(period: 'monthly' | 'yearly' = 'monthly', card?: string): Promise<SignedUp> {
    const user = await billing.app.user();
    await buy(billing, user, period, card);
    return user;
  }

  onSimulator('3-D Secure', () => {
    it.each([
      ['pass', 'active', true],
      ['fail', 'incomplete', false],
    ])('that people %s leaves the plan %s', async (outcome, status, has) => {
      const user = await billing.app.user();
      const { clientSecret } = await create(billing, user);
      const intent = await pay(billing, clientSecret, 'pm_card_threeDSecure2Required');
      expect(intent.status).toBe('requires_action');
      expect(await seen(user)).toMatchObject({ hasSubscription: false, tier: 'free' });
      const back = await onPage(billing, intent.next_action!.redirect_to_url!.url!, { outcome });
      expect(back).toBe(
        `http://staffcast.test/settings?payment=success&payment_intent=${intent.id}&redirect_status=${outcome === 'pass' ? 'succeeded' : 'failed'}`,
      );
      await billing.settled();
      expect(await termsOf(billing.app, user)).toMatchObject([{ status }]);
      expect((await seen(user)).hasSubscription).toBe(has);
      if (!has) {
        expect((await create(billing, user)).clientSecret).toBe(clientSecret);
        await pay(billing, clientSecret);
        await billing.settled();
        expect((await seen(user)).tier).toBe('pro');
      }
    });
  });

  describe('ending a plan', () => {
    it("at the period's end keeps Pro until then, and is idempotent", async () => {
      const user = await subscriber();
      for (const _ of [1, 2]) {
        const { body } = await cancel(user, false);
        expect(body).toMatchObject({
          hasSubscription: true,
          subscription: { status: 'active', cancelAtPeriodEnd: true },
        });
      }
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'active', ending: true }]);
      expect((await seen(user)).tier).toBe('pro');
    });

    it('in the portal has the same result', async () => {
      const user = await subscriber();
      await inPortal(billing, user, { action: 'cancel' });
      await billing.settled();
      expect(await atStripe(user)).toMatchObject({ cancel_at_period_end: false, cancel_at: expect.any(Number) });
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'active', ending: true }]);
      expect(await seen(user)).toMatchObject({ tier: 'pro', subscription: { cancelAtPeriodEnd: true } });
    });

    it('can be undone, whichever way it was set', async () => {
      const [byApi, byPortal] = [await subscriber(), await subscriber()];
      await cancel(byApi, false);
      await inPortal(billing, byPortal, { action: 'cancel' });
      for (const user of [byApi, byPortal]) {
        const { body } = await reactivate(user);
        expect(body).toMatchObject({ hasSubscription: true, subscription: { cancelAtPeriodEnd: false } });
        expect(await atStripe(user)).toMatchObject({ cancel_at: null, cancel_at_period_end: false, status: 'active' });
        expect(await termsOf(billing.app, user)).toMatchObject([{ ending: false }]);
        await reactivate(user);
      }
    });

    it('takes effect, and cannot be undone afterwards', async () => {
      const user = await billing.app.user();
      const time = await Timeline.of(billing, user);
      await buy(billing, user, 'monthly');
      await cancel(user, false);
      await time.goTo(monthsAfter(time.now, 1) + HOUR);
      const [term] = await termsOf(billing.app, user);
      expect(term).toMatchObject({ status: 'canceled', canceledAt: expect.any(Date) });
      expect(await seen(user)).toMatchObject({
        hasSubscription: false,
        subscription: null,
        tier: 'free',
        dailyLimit: 1,
      });
      await reactivate(user, 400);
      await cancel(user, false, 400);
    });

    it('at once ends Pro at once', async () => {
      const user = await subscriber();
      const { body } = await cancel(user, true);
      expect(body).toMatchObject({ hasSubscription: false, subscription: null });
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'canceled' }]);
      expect((await seen(user)).tier).toBe('free');
    });
  });

  describe('the portal', () => {
    (driver === DRIVERS[0] ? it : it.skip)("opens on Stripe's side and leads back (19)", async () => {
      const user = await subscriber();
      const { body } = await user.agent.post('/api/stripe/create-portal-session').expect(200);
      expect(Object.keys(body as object)).toEqual(['url']);
      const page = await onPage(billing, body.url as string);
      expect(page).toContain('http://staffcast.test/settings');
    });

    it('switches from monthly to yearly: one invoice, less the unused part', async () => {
      const user = await billing.app.user();
      const time = await Timeline.of(billing, user);
      await buy(billing, user, 'monthly');
      await time.forward(10 * DAY);
      await inPortal(billing, user, { action: 'switch', price: (await offer(billing.app)).yearly });
      await billing.settled();
      const [term] = await termsOf(billing.app, user);
      expect(term).toMatchObject({ status: 'active', plan: 'pro_yearly', upgradedFrom: 'pro_monthly' });
      expect(Number(term!.end) / 1000).toBe(monthsAfter(time.now, 12));
      const { data } = await billing.stripe.invoices.list({ customer: (await userRow(billing.app, user)).customer! });
      expect(data.map(({ status }) => status)).toEqual(['paid', 'paid']);
      expect(data[0]!.amount_paid).toBeGreaterThan(9600 - 700);
      expect(data[0]!.amount_paid).toBeLessThan(9600 - 600);
    });
  });

  describe('renewal', () => {
    async function onTime(card?: string): Promise<{ user: SignedUp; time: Timeline; start: number }> {
      const user = await billing.app.user();
      const time = await Timeline.of(billing, user);
      const start = time.now;
      await buy(billing, user, 'monthly', card);
      return { user, time, start };
    }
    /** A subscriber whose card worked once and is declined from now on. */
    async function failing() {
      const made = await onTime();
      await inPortal(billing, made.user, { action: 'card', card: 'pm_card_chargeCustomerFail' });
      await made.time.goTo(monthsAfter(made.start, 1) + 2 * HOUR);
      return made;
    }

    it('starts the next period, with one paid invoice', async () => {
      const { user, time, start } = await onTime();
      await time.goTo(monthsAfter(start, 1) + 2 * HOUR);
      const [term] = await termsOf(billing.app, user);
      expect(term).toMatchObject({ status: 'active' });
      expect(Number(term!.end) / 1000).toBe(monthsAfter(start, 2));
      const { data } = await billing.stripe.invoices.list({ customer: (await userRow(billing.app, user)).customer! });
      expect(data.map(({ status, billing_reason }) => [status, billing_reason])).toEqual([
        ['paid', 'subscription_cycle'],
        ['paid', 'subscription_create'],
      ]);
      expect((await seen(user)).tier).toBe('pro');
    });

    it('that fails leaves Pro for seven days, with the open invoice to pay', async () => {
      const { user, time, start } = await failing();
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'past_due' }]);
      expect(await seen(user)).toMatchObject({
        hasSubscription: true,
        tier: 'pro',
        subscription: { status: 'past_due' },
      });
      await time.goTo(monthsAfter(start, 1) + 7 * DAY + 2 * HOUR);
      expect(await seen(user)).toMatchObject({ hasSubscription: true, tier: 'free', dailyLimit: 1 });
      const { status, clientSecret } = await create(billing, user, 'monthly');
      expect(status).toBe('past_due');
      const intent = await billing.stripe.paymentIntents.retrieve(clientSecret!.split('_secret_')[0]!);
      expect(intent).toMatchObject({ amount: 1000, status: 'requires_payment_method' });
      expect(await termsOf(billing.app, user)).toHaveLength(1);
    });

    it('can be paid late, which keeps the plan', async () => {
      const { user } = await failing();
      await pay(billing, (await create(billing, user, 'monthly')).clientSecret);
      await billing.settled();
      expect(await seen(user)).toMatchObject({
        hasSubscription: true,
        tier: 'pro',
        subscription: { status: 'active' },
      });
      const { data } = await billing.stripe.invoices.list({
        customer: (await userRow(billing.app, user)).customer!,
        status: 'open',
      });
      expect(data).toEqual([]);
    });

    it('that fails at every attempt ends the plan and nothing else', async () => {
      const { user, time, start } = await failing();
      const { body: list } = await user.agent.post('/api/email-lists').send({ name: 'Java people' }).expect(201);
      await time.goTo(monthsAfter(start, 1) + 15 * DAY);
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'canceled', canceledAt: expect.any(Date) }]);
      expect(await seen(user)).toMatchObject({ hasSubscription: false, tier: 'free' });
      expect(await atStripe(user)).toMatchObject({ cancellation_details: { reason: 'payment_failed' } });
      await user.agent.get(`/api/email-lists/slug/${list.slug as string}`).expect(200);
    });

    it('that is unpaid when the plan is cancelled ends it at once', async () => {
      const { user } = await failing();
      await cancel(user, false);
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'canceled' }]);
      expect((await seen(user)).tier).toBe('free');
    });
  });
});
