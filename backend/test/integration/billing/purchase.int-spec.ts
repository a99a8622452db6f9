import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import {
  type Billing,
  buy,
  create,
  DRIVERS,
  HOUR,
  offer,
  pay,
  seen,
  startBilling,
  termsOf,
  Timeline,
  userRow,
} from '../../kit/stripe/stripe.js';

describe.each(DRIVERS)('on %s', (driver) => {
  let billing: Billing;

  beforeAll(async () => {
    billing = await startBilling({ driver });
  });
  afterAll(() => billing.close());

  describe('without a purchase', () => {
    it('the status is Free', async () => {
      const user = await billing.app.user();
      await user.agent
        .get('/api/stripe/subscription-status')
        .expect(200, { hasSubscription: false, referralCreditsMonths: '0', subscription: null });
      expect(await termsOf(billing.app, user)).toEqual([]);
    });

    it('every call of the account requires a session', async () => {
      await billing.app.http().get('/api/stripe/subscription-status').expect(401);
      for (const call of [
        'create-subscription',
        'cancel-subscription',
        'reactivate-subscription',
        'create-portal-session',
      ]) {
        await billing.app.http().post(`/api/stripe/${call}`).send({}).expect(401);
      }
    });

    it('plans and payment configuration are public', async () => {
      const { body } = await billing.app.http().get('/api/billing/plans').expect(200);
      const features = ['Unlimited emails per day', 'Custom email lists', 'Email history tracking', 'Priority support'];
      expect(body).toEqual([
        {
          code: 'pro_monthly',
          name: 'Pro',
          priceCents: 1000,
          billingInterval: 'month',
          stripePriceId: expect.stringMatching(/^price_/),
          features,
        },
        {
          code: 'pro_yearly',
          name: 'Pro',
          priceCents: 9600,
          billingInterval: 'year',
          stripePriceId: expect.stringMatching(/^price_/),
          features,
        },
      ]);
      await billing.app.http().get('/api/stripe/config').expect(200, { mode: 'test', publishableKey: 'pk_test_kit' });
      const policyOf = async (path: string) => (await billing.app.http().get(path)).headers['content-security-policy']!;
      const policy = await policyOf('/subscribe');
      expect(policy).toContain("script-src 'self' https://js.stripe.com");
      expect(policy).toContain("connect-src 'self' https://api.stripe.com");
      expect(policy).toContain('https://hooks.stripe.com');
      expect(await policyOf('/')).not.toContain('stripe');
    });

    it('nothing can be cancelled, reactivated or shown in the portal', async () => {
      const user = await billing.app.user();
      const refused = async (call: string, body: object, message: string) => {
        const answer = await user.agent.post(`/api/stripe/${call}`).send(body).expect(400);
        expect(answer.body.message).toBe(message);
      };
      await refused('cancel-subscription', { immediately: false }, 'No active subscription');
      await refused('reactivate-subscription', {}, 'No active subscription');
      await refused('create-portal-session', {}, 'There is no billing account yet');
      expect((await userRow(billing.app, user)).customer).toBeNull();
    });
  });

  describe('buying', () => {
    it('opens a purchase that grants nothing yet', async () => {
      const user = await billing.app.user();
      const { status, clientSecret } = await create(billing, user);
      expect(status).toBe('incomplete');
      expect(clientSecret).toMatch(/^pi_.*_secret_/);
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'incomplete', plan: 'pro_yearly' }]);
      expect(await userRow(billing.app, user)).toMatchObject({
        tier: 'free',
        customer: expect.stringMatching(/^cus_/),
      });
      const intent = await billing.stripe.paymentIntents.retrieve(clientSecret!.split('_secret_')[0]!);
      expect(intent.amount).toBe(9600);
    });

    it('opens one purchase for repeated calls', async () => {
      const user = await billing.app.user();
      const [one, two, three] = await Promise.all([
        create(billing, user),
        create(billing, user),
        create(billing, user),
      ]);
      const again = await create(billing, user);
      expect(new Set([one, two, three, again].map(({ clientSecret }) => clientSecret)).size).toBe(1);
      expect(await termsOf(billing.app, user)).toHaveLength(1);
      const { customer } = await userRow(billing.app, user);
      expect((await billing.stripe.subscriptions.list({ customer: customer!, status: 'all' })).data).toHaveLength(1);
      expect((await billing.stripe.customers.list({ email: user.email })).data).toHaveLength(1);
    });

    it('of the other plan replaces the open purchase', async () => {
      const user = await billing.app.user();
      const yearly = await create(billing, user);
      const monthly = await create(billing, user, 'monthly');
      expect(monthly.clientSecret).not.toBe(yearly.clientSecret);
      expect((await termsOf(billing.app, user)).map(({ plan, status }) => [plan, status]).sort()).toEqual([
        ['pro_monthly', 'incomplete'],
        ['pro_yearly', 'canceled'],
      ]);
      expect((await billing.stripe.paymentIntents.retrieve(monthly.clientSecret!.split('_secret_')[0]!)).amount).toBe(
        1000,
      );
    });

    it('for different plans concurrently leaves one purchase open', async () => {
      const user = await billing.app.user();
      await create(billing, user);
      await user.agent.post('/api/stripe/cancel-subscription').send({ immediately: true }).expect(400);
      await Promise.all(
        (['monthly', 'yearly', 'monthly', 'yearly'] as const).map((period) => create(billing, user, period)),
      );
      await billing.settled();
      const { customer } = await userRow(billing.app, user);
      const { data } = await billing.stripe.subscriptions.list({ customer: customer!, status: 'all' });
      expect(data.filter(({ status }) => status === 'incomplete')).toHaveLength(1);
      expect((await termsOf(billing.app, user)).filter(({ status }) => status === 'incomplete')).toHaveLength(1);
    });

    it('accepts only known prices with their period, without calling Stripe', async () => {
      const user = await billing.app.user();
      const { monthly } = await offer(billing.app);
      const post = (body: object) => user.agent.post('/api/stripe/create-subscription').send(body);
      await post({ priceId: 'price_else', billingPeriod: 'monthly' }).expect(400);
      await post({ priceId: monthly, billingPeriod: 'yearly' }).expect(400);
      await post({ priceId: monthly }).expect(400);
      await post({ priceId: monthly, billingPeriod: 'weekly' }).expect(400);
      expect((await userRow(billing.app, user)).customer).toBeNull();
      expect((await billing.stripe.customers.list({ email: user.email })).data).toEqual([]);
    });

    it('grants Pro once it is paid', async () => {
      const user = await billing.app.user();
      await buy(billing, user);
      const [term] = await termsOf(billing.app, user);
      expect(term).toMatchObject({ status: 'active', plan: 'pro_yearly', ending: false });
      const year = new Date(term!.start!);
      year.setUTCFullYear(year.getUTCFullYear() + 1);
      expect(term!.end).toEqual(year);
      expect(await userRow(billing.app, user)).toMatchObject({
        tier: 'pro',
        status: 'active',
        subscription: term!.stripeId,
      });
      expect(await seen(user)).toMatchObject({
        hasSubscription: true,
        tier: 'pro',
        dailyLimit: null,
        subscription: { status: 'active', currentPeriodEnd: Number(term!.end) / 1000, cancelAtPeriodEnd: false },
      });
    });

    it('stays open after a declined card, and accepts a valid one', async () => {
      const user = await billing.app.user();
      const { clientSecret } = await create(billing, user);
      await expect(pay(billing, clientSecret, 'pm_card_visa_chargeDeclined')).rejects.toMatchObject({
        statusCode: 402,
        code: 'card_declined',
      });
      await billing.settled();
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'incomplete' }]);
      expect((await seen(user)).tier).toBe('free');
      await pay(billing, (await create(billing, user)).clientSecret);
      await billing.settled();
      expect(await seen(user)).toMatchObject({ hasSubscription: true, tier: 'pro' });
    });

    it('changes nothing for someone who has a plan', async () => {
      const user = await billing.app.user();
      await buy(billing, user, 'monthly');
      const { customer } = await userRow(billing.app, user);
      expect(await create(billing, user, 'yearly')).toEqual({ status: 'active' });
      expect((await billing.stripe.invoices.list({ customer: customer! })).data).toHaveLength(1);
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'active', plan: 'pro_monthly' }]);
    });

    it('expires after 23 hours, and can be opened again', async () => {
      const user = await billing.app.user();
      const time = await Timeline.of(billing, user);
      const first = await create(billing, user);
      await time.forward(23 * HOUR + 60);
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'incomplete_expired' }]);
      expect((await seen(user)).tier).toBe('free');
      const second = await create(billing, user);
      expect(second.clientSecret).not.toBe(first.clientSecret);
      expect(await termsOf(billing.app, user)).toMatchObject([
        { status: 'incomplete_expired' },
        { status: 'incomplete' },
      ]);
      billing.clock.setTo(new Date());
    });
  });

  (driver === DRIVERS[0] ? describe : describe.skip)('a lost webhook', () => {
    it('is completed by the first status call where the event was lost', async () => {
      const user = await billing.app.user();
      const { clientSecret } = await create(billing, user);
      await billing.settled();
      billing.simulator!.deliveries.faults = { drop: true };
      await pay(billing, clientSecret);
      billing.simulator!.deliveries.faults = {};
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'incomplete' }]);
      expect(await seen(user)).toMatchObject({ hasSubscription: true, tier: 'pro' });
      expect(
        await rows(billing.app.em(), 'select 1 from users where id = ? and tier = ?', [user.id, 'pro']),
      ).toHaveLength(1);
    });
  });
});
