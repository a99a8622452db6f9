import Stripe from 'stripe';
import { Clock } from '../../../src/shared/clock/clock.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { type Exchange, Simulator, type SimulatorOptions } from '../../../stripe-simulator/server.ts';
import { type AppOptions, startApp, type TestApp } from '../app.js';
import { Sandbox } from './stripe-sandbox.js';
import type { SignedUp } from '../users.js';
import { WireCheck } from './wire-check.js';
import { until } from '../until.js';

export const WEBHOOK_SECRET = 'whsec_kit_0123456789';

/** The app's clock, which a test can set; otherwise it shows real time. */
export class SettableClock extends Clock {
  private ahead = 0;

  setTo(moment: Date): void {
    this.ahead = Number(moment) - Date.now();
  }

  override now(): Date {
    return new Date(Date.now() + this.ahead);
  }
}

/** The drivers with which each scenario runs: the simulator, and Stripe's sandbox if its key is set. */
export const DRIVERS = ['the simulator', ...(process.env.STRIPE_TEST_SECRET_KEY ? ["Stripe's sandbox"] : [])];
if (DRIVERS.length === 1) process.stderr.write('SKIPPED: not verified against Stripe (no STRIPE_TEST_SECRET_KEY)\n');

/** The product with billing, connected to the simulator or to Stripe's sandbox. */
export interface Billing {
  app: TestApp;
  clock: SettableClock;
  /** Stripe client of the test. */
  stripe: Stripe;
  /** Undefined with Stripe's sandbox. */
  simulator?: Simulator;
  sandbox?: Sandbox;
  /** Resolves once all events so far were delivered and processed. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts a simulator without an app. */
export function startSimulator(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  return Simulator.start({ pagesBase: 'http://staffcast.test/stripe-simulator', ...options });
}

export const stripeOf = (simulator: Simulator): Stripe =>
  new Stripe('sk_test_kit', {
    host: '127.0.0.1',
    port: simulator.port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });

export const simulatorEnv = (simulator: Simulator, port = simulator.port): Record<string, string> => ({
  STRIPE_SECRET_KEY: 'sk_test_kit',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_kit',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_URL: `http://127.0.0.1:${port}`,
});

/** Starts the product with a simulator, or with Stripe's sandbox. */
export async function startBilling(
  options: AppOptions & { simulator?: Partial<SimulatorOptions>; driver?: string } = {},
): Promise<Billing> {
  const clock = new SettableClock();
  const override: AppOptions['override'] = (builder) =>
    (options.override ?? ((same) => same))(builder.overrideProvider(Clock).useValue(clock));
  if (options.driver !== undefined && options.driver !== DRIVERS[0]) {
    const sandbox = await Sandbox.open(process.env.STRIPE_TEST_SECRET_KEY!, WEBHOOK_SECRET);
    const app = await startApp({ ...options, env: { ...sandbox.env, ...options.env }, override });
    sandbox.connect(app);
    return { app, clock, stripe: sandbox.stripe, sandbox, settled: () => sandbox.settled(), close: () => app.close() };
  }
  const exchanges: Exchange[] = [];
  const simulator = await startSimulator({ onExchange: (exchange) => exchanges.push(exchange), ...options.simulator });
  const app = await startApp({ ...options, env: { ...simulatorEnv(simulator), ...options.env }, override });
  simulator.sendTo({ url: `${app.url}/api/stripe/webhook`, secret: WEBHOOK_SECRET });
  const settled = async () => void (await until('the events are delivered', () => simulator.deliveries.idle));
  const close = async () => {
    await simulator.stop();
    await app.close();
    requireWire(exchanges, simulator.account.all('events'));
  };
  return { app, clock, stripe: stripeOf(simulator), simulator, settled, close };
}

/** Checks that all responses and events of the simulator match the types of Stripe's SDK. */
export function requireWire(exchanges: Exchange[], events: object[]): void {
  const check = new WireCheck();
  for (const exchange of exchanges) check.exchange(exchange);
  for (const event of events) check.object(event as Record<string, unknown>, 'events');
  if (check.faults.size > 0)
    throw new Error(`the simulator speaks otherwise than Stripe:\n${[...check.faults].slice(0, 20).join('\n')}`);
}

/** Price ids of the offered plans. */
export async function offer(app: TestApp): Promise<{ monthly: string; yearly: string }> {
  const { body } = await app.http().get('/api/billing/plans').expect(200);
  const of = (interval: string) =>
    (body as { billingInterval: string; stripePriceId: string }[]).find((plan) => plan.billingInterval === interval)!
      .stripePriceId;
  return { monthly: of('month'), yearly: of('year') };
}

/** Starts a purchase through the API. */
export async function create(billing: Billing, user: SignedUp, period: 'monthly' | 'yearly' = 'yearly', status = 200) {
  const priceId = (await offer(billing.app))[period];
  const { body } = await user.agent
    .post('/api/stripe/create-subscription')
    .send({ priceId, billingPeriod: period })
    .expect(status);
  return body as { status: string; clientSecret?: string; code?: string; message?: string };
}

/** Pays like the browser does. */
export function pay(billing: Billing, clientSecret: string | undefined, card = 'pm_card_visa') {
  const [intent = ''] = (clientSecret ?? '').split('_secret_');
  return billing.stripe.paymentIntents.confirm(intent, {
    payment_method: card,
    return_url: `${billing.app.settings.appUrl}/settings?payment=success`,
  });
}

/** Buys a plan and pays for it. */
export async function buy(
  billing: Billing,
  user: SignedUp,
  period: 'monthly' | 'yearly' = 'yearly',
  card = 'pm_card_visa',
): Promise<void> {
  const { clientSecret } = await create(billing, user, period);
  await pay(billing, clientSecret, card);
  await billing.settled();
}

/**
 * Opens one of the simulator's pages by its public URL, or submits a form on it.
 * @returns the page, or the URL to which it redirects
 */
export async function onPage(billing: Billing, address: string, form?: Record<string, string>): Promise<string> {
  const { pathname, search } = new URL(address);
  const answer = await fetch(`${billing.simulator!.url}${pathname}${search}`, {
    redirect: 'manual',
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  const location = answer.headers.get('location');
  if (answer.status !== (location ? 303 : 200)) throw new Error(`the page ${address} answered ${answer.status}`);
  const page = location ?? (await answer.text());
  if (page.includes('role="alert"')) throw new Error(page);
  return page;
}

/** Presses a button of the user's billing portal. */
export async function inPortal(billing: Billing, user: SignedUp, form: Record<string, string>): Promise<void> {
  const { body } = await user.agent.post('/api/stripe/create-portal-session').expect(200);
  if (billing.sandbox) return billing.sandbox.press((await userRow(billing.app, user)).customer!, form);
  await onPage(billing, (body as { url: string }).url, form);
}

export interface StoredTerm {
  status: string;
  plan: string | null;
  upgradedFrom: string | null;
  ending: boolean;
  end: Date | null;
  start: Date | null;
  canceledAt: Date | null;
  stripeId: string;
}

/** The stored terms of a user, oldest first. */
export const termsOf = (app: TestApp, user: { id: string }): Promise<StoredTerm[]> =>
  rows<StoredTerm>(
    app.em(),
    `select s.status, p.code as plan, u.code as "upgradedFrom", s.cancel_at_period_end as ending, s.current_period_start as start, s.current_period_end as end, s.canceled_at as "canceledAt",
       s.stripe_subscription_id as "stripeId"
     from user_subscriptions s left join subscription_plans p on p.id = s.plan_id left join subscription_plans u on u.id = s.upgraded_from_plan_id
     where s.user_id = ? order by s.started_at, s.created_at`,
    [user.id],
  ).then((found) =>
    found.map((row) => ({
      ...row,
      end: row.end && new Date(row.end),
      start: row.start && new Date(row.start),
      canceledAt: row.canceledAt && new Date(row.canceledAt),
    })),
  );

export interface StoredUser {
  tier: string;
  customer: string | null;
  subscription: string | null;
  status: string | null;
  end: Date | null;
  months: string;
}

export const userRow = async (app: TestApp, user: { id: string }): Promise<StoredUser> =>
  (
    await rows<StoredUser>(
      app.em(),
      `select tier, stripe_customer_id as customer, stripe_subscription_id as subscription, subscription_status as status, subscription_end_date as end, referral_credits_months as months
     from users where id = ?`,
      [user.id],
    )
  )[0]!;

/** The plan in force and the purchase, as the API reports them. */
export async function seen(user: SignedUp) {
  const status = (await user.agent.get('/api/stripe/subscription-status').expect(200)).body as {
    hasSubscription: boolean;
    referralCreditsMonths: string;
    subscription: { status: string; currentPeriodEnd: number; cancelAtPeriodEnd: boolean } | null;
  };
  const me = (await user.agent.get('/api/auth/user').expect(200)).body as {
    tier: string;
    entitlements: { plan: string; dailyLimit: number | null };
  };
  return { ...status, tier: me.tier, dailyLimit: me.entitlements.dailyLimit };
}

/** A Stripe test clock, with a customer for the user. */
export class Timeline {
  private constructor(
    private readonly billing: Billing,
    readonly id: string,
    private at: number,
  ) {}

  static async of(billing: Billing, ...users: SignedUp[]): Promise<Timeline> {
    const at = Math.floor(Date.now() / 1000);
    const { id } = await billing.stripe.testHelpers.testClocks.create({ frozen_time: at });
    for (const user of users) {
      const { id: customer } = await billing.stripe.customers.create({ email: user.email, test_clock: id });
      await rows(billing.app.em(), `update users set stripe_customer_id = ? where id = ?`, [customer, user.id]);
    }
    return new Timeline(billing, id, at);
  }

  get now(): number {
    return this.at;
  }

  /** Advances the test clock and the app's clock to a time in seconds, and processes all events up to then. */
  async goTo(at: number): Promise<void> {
    this.at = at;
    await this.billing.stripe.testHelpers.testClocks.advance(this.id, { frozen_time: at });
    await until(
      'the clock has arrived',
      async () => (await this.billing.stripe.testHelpers.testClocks.retrieve(this.id)).status === 'ready',
    );
    this.billing.clock.setTo(new Date(at * 1000));
    await this.billing.settled();
  }

  async forward(seconds: number): Promise<void> {
    await this.goTo(this.at + seconds);
  }
}

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/**
 * Adds calendar months in UTC.
 * @param at time in seconds
 * @returns time in seconds
 */
export function monthsAfter(at: number, months: number): number {
  const date = new Date(at * 1000);
  const target = new Date(
    Date.UTC(
      date.getUTCFullYear(),
      date.getUTCMonth() + months,
      1,
      date.getUTCHours(),
      date.getUTCMinutes(),
      date.getUTCSeconds(),
    ),
  );
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), last));
  return Math.floor(Number(target) / 1000);
}
