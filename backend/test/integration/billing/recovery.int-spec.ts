import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { PlanReconcile } from '../../../src/modules/billing/plans/plan-reconcile.service.js';
import { startApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';
import {
  type Billing,
  buy,
  create,
  HOUR,
  monthsAfter,
  pay,
  seen,
  simulatorEnv,
  startBilling,
  startSimulator,
  stripeOf,
  termsOf,
  Timeline,
  userRow,
  WEBHOOK_SECRET,
} from '../../kit/stripe/stripe.js';
import { until } from '../../kit/until.js';

const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
const file = join(folder, 'account.json');

let billing: Billing;

beforeAll(async () => {
  billing = await startBilling({ simulator: { file } });
});
afterEach(() => {
  billing.simulator!.deliveries.faults = {};
  billing.clock.setTo(new Date());
});
afterAll(async () => {
  await billing.close();
  rmSync(folder, { recursive: true });
});

const reconcile = () => billing.app.get(PlanReconcile).reconcile();

/** Stops the simulator, runs `meanwhile`, and starts it again on the same port. */
async function away(meanwhile: () => Promise<void> | void): Promise<void> {
  const { port } = billing.simulator!;
  await billing.simulator!.stop();
  await meanwhile();
  const back = await startSimulator({
    file,
    port,
    webhook: { url: `${billing.app.url}/api/stripe/webhook`, secret: WEBHOOK_SECRET },
  });
  Object.assign(billing, {
    simulator: back,
    stripe: stripeOf(back),
    settled: () => until('the events are delivered', () => back.deliveries.idle),
  });
}

describe('lost events', () => {
  it('are compensated by the nightly check: paid, ended, refunded', async () => {
    const [payer, quitter, refunded] = [await billing.app.user(), await billing.app.user(), await billing.app.user()];
    const { clientSecret } = await create(billing, payer);
    const time = await Timeline.of(billing, quitter);
    await buy(billing, quitter, 'monthly');
    await buy(billing, refunded, 'yearly');
    await quitter.agent.post('/api/stripe/cancel-subscription').send({ immediately: false }).expect(200);
    await billing.settled();
    billing.simulator!.deliveries.faults = { drop: true };
    await pay(billing, clientSecret);
    await time.goTo(monthsAfter(time.now, 1) + HOUR);
    const [charge] = (await billing.stripe.charges.list({ customer: (await userRow(billing.app, refunded)).customer! }))
      .data;
    await billing.stripe.refunds.create({ charge: charge!.id });
    billing.simulator!.deliveries.faults = {};
    await reconcile();
    expect(await termsOf(billing.app, payer)).toMatchObject([{ status: 'active' }]);
    expect(await termsOf(billing.app, quitter)).toMatchObject([{ status: 'canceled' }]);
    expect(await termsOf(billing.app, refunded)).toMatchObject([{ status: 'canceled' }]);
    expect([(await seen(payer)).tier, (await seen(quitter)).tier, (await seen(refunded)).tier]).toEqual([
      'pro',
      'free',
      'free',
    ]);
  });

  it('do not change the final state when all others arrive shuffled and twice', async () => {
    const user = await billing.app.user();
    const time = await Timeline.of(billing, user);
    billing.simulator!.deliveries.faults = { copies: 2, delay: 400, shuffle: true };
    await buy(billing, user, 'monthly');
    await user.agent.post('/api/stripe/cancel-subscription').send({ immediately: false }).expect(200);
    await user.agent.post('/api/stripe/reactivate-subscription').expect(200);
    await time.goTo(monthsAfter(time.now, 1) + 2 * HOUR);
    expect(await seen(user)).toMatchObject({
      tier: 'pro',
      subscription: { status: 'active', cancelAtPeriodEnd: false },
    });
    expect(Number((await termsOf(billing.app, user))[0]!.end) / 1000).toBeGreaterThan(time.now + 27 * 86_400);
  });

  it('leave an outdated stored tier, which is corrected', async () => {
    const user = await billing.app.user();
    await rows(
      billing.app.em(),
      `update users set tier = 'pro', plan_access_until = now() - interval '1 second' where id = ?`,
      [user.id],
    );
    await reconcile();
    expect((await userRow(billing.app, user)).tier).toBe('free');
  });
});

describe('an unavailable Stripe', () => {
  it('fails only calls that need it; afterwards all work again', async () => {
    const user = await billing.app.user();
    const payer = await billing.app.user();
    await buy(billing, payer, 'monthly');
    await away(async () => {
      const { body } = await user.agent
        .post('/api/stripe/create-subscription')
        .send({ priceId: 'price_pro_monthly', billingPeriod: 'monthly' })
        .expect(502);
      expect(body).toMatchObject({ code: 'billing_unavailable' });
      await payer.agent.post('/api/stripe/cancel-subscription').send({ immediately: true }).expect(502);
      expect(await seen(payer)).toMatchObject({ hasSubscription: true, tier: 'pro' });
      await user.agent.get('/api/email-lists').expect(200);
      expect((await billing.app.http().get('/api/billing/plans').expect(200)).body).toHaveLength(2);
    });
    await buy(billing, user, 'monthly');
    expect((await seen(user)).tier).toBe('pro');
    expect((await seen(payer)).tier).toBe('pro');
  });

  it('that loses an answer after acting leaves one plan only', async () => {
    const user = await billing.app.user();
    billing.simulator!.deliveries.faults = { dieAfterCommit: 3 };
    await user.agent
      .post('/api/stripe/create-subscription')
      .send({ priceId: 'price_pro_yearly', billingPeriod: 'yearly' })
      .expect(502);
    billing.simulator!.deliveries.faults = {};
    await buy(billing, user);
    const { customer } = await userRow(billing.app, user);
    expect((await billing.stripe.subscriptions.list({ customer: customer!, status: 'all' })).data).toHaveLength(1);
    expect((await billing.stripe.customers.list({ email: user.email })).data).toHaveLength(1);
  });

  it('is called again after a failure', async () => {
    const user = await billing.app.user();
    billing.simulator!.deliveries.faults = { fail500: 1 };
    await buy(billing, user);
    expect((await seen(user)).tier).toBe('pro');
  });
});

describe('Stripe unavailable at start', () => {
  it('does not prevent the start; prices appear once it is available', async () => {
    const absent = await startSimulator();
    const { port } = absent;
    await absent.stop();
    const app = await startApp({ env: simulatorEnv(absent, port) });
    const prices = async () =>
      ((await app.http().get('/api/billing/plans').expect(200)).body as { stripePriceId: string | null }[]).map(
        ({ stripePriceId }) => stripePriceId,
      );
    try {
      expect(await prices()).toEqual([null, null]);
      const user = await app.user();
      await user.agent.get('/api/stripe/subscription-status').expect(200);
      const back = await startSimulator({ port });
      await until('the prices are there', async () => (await prices()).every(Boolean));
      await back.stop();
      expect(await prices()).toEqual(['price_pro_monthly', 'price_pro_yearly']);
    } finally {
      await app.close();
    }
  });
});

describe('a deleted account', () => {
  it('has its plan cancelled, by the event or by the nightly check', async () => {
    const told = await billing.app.user();
    await buy(billing, told);
    const { customer } = await userRow(billing.app, told);
    await told.agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(200);
    await until(
      'the customer is gone',
      async () => (await billing.stripe.customers.retrieve(customer!)).deleted === true,
    );
    expect((await billing.stripe.subscriptions.list({ customer: customer!, status: 'all' })).data).toMatchObject([
      { status: 'canceled' },
    ]);
    const untold = await billing.app.user();
    await buy(billing, untold);
    const { customer: other } = await userRow(billing.app, untold);
    await rows(billing.app.em(), 'delete from users where id = ?', [untold.id]);
    expect(
      await rows(billing.app.em(), 'select user_id from user_subscriptions where stripe_customer_id = ?', [other]),
    ).toEqual([{ user_id: null }]);
    await reconcile();
    expect((await billing.stripe.customers.retrieve(other!)).deleted).toBe(true);
    await until(
      'no row is left',
      async () =>
        (
          await rows(billing.app.em(), 'select 1 from user_subscriptions where stripe_customer_id in (?, ?)', [
            customer,
            other,
          ])
        ).length === 0,
    );
  });

  it('can be deleted while Stripe is unavailable', async () => {
    const user = await billing.app.user();
    await buy(billing, user);
    const { customer } = await userRow(billing.app, user);
    await away(() =>
      user.agent
        .post('/api/auth/delete-account')
        .send({ password: PASSWORD })
        .expect(200)
        .then(() => undefined),
    );
    await reconcile();
    expect((await billing.stripe.customers.retrieve(customer!)).deleted).toBe(true);
  });
});

describe('the simulator without its file', () => {
  it('knows no customer: earlier plans end and can be bought again', async () => {
    const [subscriber, waiting] = [await billing.app.user(), await billing.app.user()];
    await buy(billing, subscriber, 'monthly');
    await create(billing, waiting);
    const before = await userRow(billing.app, subscriber);
    await away(() => rmSync(file));
    expect(await create(billing, subscriber, 'monthly')).toMatchObject({ status: 'incomplete' });
    expect((await userRow(billing.app, subscriber)).customer).not.toBe(before.customer);
    expect(await termsOf(billing.app, subscriber)).toMatchObject([{ status: 'canceled' }, { status: 'incomplete' }]);
    expect((await seen(subscriber)).tier).toBe('free');
    await buy(billing, subscriber, 'monthly');
    await buy(billing, waiting);
    expect([(await seen(subscriber)).tier, (await seen(waiting)).tier]).toEqual(['pro', 'pro']);
  });

  it('opens no portal for an unknown customer', async () => {
    const user = await billing.app.user();
    await buy(billing, user);
    await away(() => rmSync(file));
    await user.agent.post('/api/stripe/create-portal-session').expect(400);
    expect(await seen(user)).toBeDefined();
  });
});
