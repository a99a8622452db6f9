import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { rows } from '../../../src/shared/database/queries/rows.js';
import {
  type Billing,
  buy,
  create,
  HOUR,
  monthsAfter,
  pay,
  seen,
  startBilling,
  termsOf,
  Timeline,
  userRow,
  WEBHOOK_SECRET,
} from '../../kit/stripe/stripe.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';

let billing: Billing;

beforeAll(async () => {
  billing = await startBilling();
});
afterEach(() => {
  billing.simulator!.deliveries.faults = {};
  billing.clock.setTo(new Date());
});
afterAll(() => billing.close());

const sign = (payload: string, { secret = WEBHOOK_SECRET, timestamp = Math.floor(Date.now() / 1000) } = {}) =>
  billing.stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });

const post = (payload: string, signature?: string) => {
  const call = billing.app.http().post('/api/stripe/webhook').set('content-type', 'application/json; charset=utf-8');
  return (signature === undefined ? call : call.set('stripe-signature', signature)).send(payload);
};
const deliver = (event: Stripe.Event) => {
  const payload = JSON.stringify(event);
  return post(payload, sign(payload));
};

const taken = (id: string) =>
  rows<{ outcome: string; type: string }>(billing.app.em(), 'select outcome, type from stripe_events where id = ?', [
    id,
  ]);

/** The customer's events, oldest first. */
async function eventsOf(user: SignedUp): Promise<Stripe.Event[]> {
  const { customer } = await userRow(billing.app, user);
  const found: Stripe.Event[] = [];
  for await (const event of billing.stripe.events.list({ limit: 100 })) {
    const { id, customer: of } = event.data.object as { id?: string; customer?: string };
    if (id === customer || of === customer) found.push(event);
  }
  return found.reverse();
}

/** Runs `work` without delivering its events. */
async function unheard(work: () => Promise<unknown>): Promise<void> {
  await billing.settled();
  billing.simulator!.deliveries.faults = { drop: true };
  await work();
  billing.simulator!.deliveries.faults = {};
}

async function paidUnheard(): Promise<{ user: SignedUp; events: Stripe.Event[] }> {
  const user = await billing.app.user();
  const { clientSecret } = await create(billing, user);
  await unheard(() => pay(billing, clientSecret));
  return { user, events: (await eventsOf(user)).filter(({ type }) => type === 'invoice.paid') };
}

describe('an event', () => {
  it('counts once for five concurrent deliveries', async () => {
    const {
      user,
      events: [paid],
    } = await paidUnheard();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => deliver(paid!)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await taken(paid!.id)).toEqual([{ outcome: 'synced', type: 'invoice.paid' }]);
    expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'active' }]);
  });

  it('is refused unless it is unchanged and recently signed by Stripe', async () => {
    const {
      user,
      events: [paid],
    } = await paidUnheard();
    const payload = JSON.stringify(paid);
    const now = Math.floor(Date.now() / 1000);
    const refusals = [
      post(payload, sign(payload, { secret: 'whsec_else' })),
      post(payload.replace('"paid"', '"pAid"'), sign(payload)),
      post(`${payload}\n`, sign(payload)),
      post(payload, sign(payload, { timestamp: now - 301 })),
      post(payload),
      post('', sign('')),
      post('{}', 't=1,v1=00'),
    ];
    for (const refusal of refusals) expect((await refusal).status).toBe(400);
    expect(await taken(paid!.id)).toEqual([]);
    expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'incomplete' }]);
    await post(payload, sign(payload, { timestamp: now - 250 })).expect(200, { received: true });
  });

  it('is accepted from another site without a session', async () => {
    const {
      events: [paid],
    } = await paidUnheard();
    const payload = JSON.stringify(paid);
    await post(payload, sign(payload))
      .set('origin', 'https://stripe.test')
      .set('sec-fetch-site', 'cross-site')
      .expect(200);
  });

  it('is rolled back where the database fails, and delivered again', async () => {
    const user = await billing.app.user();
    const { clientSecret } = await create(billing, user);
    await billing.settled();
    await rows(
      billing.app.em(),
      `alter table user_subscriptions add constraint broken check (status <> 'active') not valid`,
    );
    try {
      await pay(billing, clientSecret);
      const paid = (await eventsOf(user)).find(({ type }) => type === 'invoice.paid')!;
      await until('a delivery failed', () =>
        billing.simulator!.account.state.deliveries.some(({ event, tries }) => event === paid.id && tries > 0),
      );
      expect(await taken(paid.id)).toEqual([]);
      expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'incomplete' }]);
      await deliver(paid).expect(500);
    } finally {
      await rows(billing.app.em(), `alter table user_subscriptions drop constraint broken`);
    }
    await billing.settled();
    expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'active' }]);
    expect((await seen(user)).tier).toBe('pro');
  });

  it('of an unlisted type, an unknown customer or the other mode changes nothing', async () => {
    const {
      user,
      events: [paid],
    } = await paidUnheard();
    const other = (fields: object): Stripe.Event =>
      ({ ...paid!, id: `evt_${Math.random().toString(36).slice(2)}`, ...fields }) as Stripe.Event;
    const unlisted = other({ type: 'invoice.upcoming' });
    const stranger = other({ data: { object: { ...paid!.data.object, customer: 'cus_stranger' } } });
    const live = other({ livemode: true });
    for (const event of [unlisted, stranger, live]) await deliver(event).expect(200);
    expect(await taken(unlisted.id)).toEqual([]);
    expect(await taken(live.id)).toEqual([]);
    expect(await taken(stranger.id)).toMatchObject([{ outcome: 'unknown_customer' }]);
    expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'incomplete' }]);
  });

  it('about an unknown price grants nothing', async () => {
    const user = await billing.app.user();
    await create(billing, user);
    const { customer } = await userRow(billing.app, user);
    const { id: product } = await billing.stripe.products.create({ name: 'Else' });
    const { id: price } = await billing.stripe.prices.create({
      product,
      unit_amount: 500,
      currency: 'usd',
      recurring: { interval: 'month' },
    });
    const made = await billing.stripe.subscriptions.create({
      customer: customer!,
      items: [{ price }],
      payment_behavior: 'default_incomplete',
      expand: ['latest_invoice.confirmation_secret'],
    });
    await pay(billing, (made.latest_invoice as Stripe.Invoice).confirmation_secret!.client_secret);
    await billing.settled();
    expect(await termsOf(billing.app, user)).toContainEqual(
      expect.objectContaining({ stripeId: made.id, status: 'active', plan: null }),
    );
    expect((await seen(user)).tier).toBe('free');
  });
});

describe('events in any order', () => {
  it('have the same result as in the right order, for a hundred shuffles', async () => {
    const user = await billing.app.user();
    const time = await Timeline.of(billing, user);
    const { clientSecret } = await create(billing, user, 'monthly');
    await unheard(async () => {
      await pay(billing, clientSecret);
      await user.agent.post('/api/stripe/cancel-subscription').send({ immediately: false }).expect(200);
      await time.goTo(monthsAfter(time.now, 1) + HOUR);
    });
    const events = (await eventsOf(user)).filter(({ type }) =>
      /^(customer\.subscription|invoice\.(paid|voided)|charge\.)/.test(type),
    );
    expect(events.length).toBeGreaterThan(4);
    const run = async (order: Stripe.Event[]) => {
      await rows(billing.app.em(), 'delete from stripe_events');
      await rows(billing.app.em(), 'delete from user_subscriptions where user_id = ?', [user.id]);
      await rows(
        billing.app.em(),
        `update users set tier = 'free', plan_access_until = null, stripe_subscription_id = null, subscription_status = null, subscription_end_date = null where id = ?`,
        [user.id],
      );
      for (const [i] of order.entries())
        if (i % 2 === 0) await Promise.all(order.slice(i, i + 2).map((event) => deliver(event).expect(200)));
      return { terms: await termsOf(billing.app, user), user: await userRow(billing.app, user) };
    };
    const ordered = await run(events);
    expect(ordered).toMatchObject({ terms: [{ status: 'canceled' }], user: { tier: 'free', status: 'canceled' } });
    for (let seed = 1; seed <= 100; seed += 1) expect(await run(shuffled(events, seed))).toEqual(ordered);
  });
});

/** Shuffles a list with a seed. */
function shuffled<T>(list: T[], seed: number): T[] {
  const copy = [...list];
  let state = seed;
  for (let i = copy.length - 1; i > 0; i -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const j = state % (i + 1);
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}

it('allow a purchase in every order', async () => {
  const user = await billing.app.user();
  billing.simulator!.deliveries.faults = { copies: 2, delay: 300, shuffle: true };
  await buy(billing, user);
  expect(await termsOf(billing.app, user)).toMatchObject([{ status: 'active' }]);
  expect(await userRow(billing.app, user)).toMatchObject({ tier: 'pro', status: 'active' });
});
