import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import type { Simulator } from '../../../stripe-simulator/server.ts';
import { API_VERSION } from '../../../stripe-simulator/wire.ts';
import { startSimulator, stripeOf } from '../../kit/stripe/stripe.js';
import { WireCheck } from '../../kit/stripe/wire-check.js';

let simulator: Simulator;
let stripe: Stripe;

beforeAll(async () => {
  simulator = await startSimulator();
  stripe = stripeOf(simulator);
});
afterAll(() => simulator.stop());

const call = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(`${simulator.url}${path}`, { ...init, headers: { authorization: 'Bearer sk_test_kit', ...init.headers } });
const errorOf = async (answer: Response) => ((await answer.json()) as { error: { type: string; code?: string } }).error;

const open = async (at = stripe, key?: string) => {
  const { id: customer } = await at.customers.create({ email: 'ann@acme.test' });
  return at.subscriptions.create(
    {
      customer,
      items: [{ price: 'price_pro_monthly' }],
      payment_behavior: 'default_incomplete',
      expand: ['latest_invoice.confirmation_secret'],
    },
    key ? { idempotencyKey: key } : {},
  );
};
const secretOf = ({ latest_invoice: invoice }: Stripe.Subscription) =>
  (invoice as Stripe.Invoice).confirmation_secret!.client_secret;

describe("the simulator's API", () => {
  it('has the version of the installed SDK', async () => {
    expect(API_VERSION).toBe(Stripe.API_VERSION);
    expect((await call('/v1/prices', { headers: { 'stripe-version': '2020-08-27' } })).status).toBe(400);
  });

  it("is checked against the SDK's types: missing, additional and unknown fields are found", async () => {
    const price = (await stripe.prices.retrieve('price_pro_monthly')) as unknown as Record<string, unknown>;
    const wire = JSON.parse(JSON.stringify({ ...price, lastResponse: undefined })) as Record<string, unknown>;
    const faultsOf = (row: Record<string, unknown>) => {
      const check = new WireCheck();
      check.object(row, 'here');
      return [...check.faults].join();
    };
    expect(faultsOf(wire)).toBe('');
    expect(faultsOf({ ...wire, active: undefined })).toMatch(/required property 'active'/);
    expect(faultsOf({ ...wire, invented: 1 })).toMatch(/additional properties/);
    expect(faultsOf({ ...wire, billing_scheme: 'per_dozen' })).toMatch(/billing_scheme/);
    expect(faultsOf({ ...wire, unit_amount_decimal: 1000 })).toMatch(/unit_amount_decimal/);
    expect(faultsOf({ ...wire, object: 'prize' })).toMatch(/calls itself prize/);
  });

  it('refuses unknown parameters, always with an error member', async () => {
    const refused = async (
      path: string,
      status: number,
      init: RequestInit & { headers?: Record<string, string> } = {},
    ) => {
      const answer = await call(path, init);
      expect(answer.status).toBe(status);
      return errorOf(answer);
    };
    expect(await refused('/v1/unicorns', 404)).toMatchObject({ type: 'invalid_request_error' });
    expect(await refused('/v1/customers', 400, { method: 'POST', body: 'colour=red' })).toMatchObject({
      code: 'parameter_unknown',
    });
    expect(await refused('/v1/customers/cus_none', 404)).toMatchObject({ code: 'resource_missing' });
    expect(await refused('/v1/prices', 401, { headers: { authorization: 'Bearer sk_live_x' } })).toMatchObject({
      type: 'invalid_request_error',
    });
    expect(await refused('/', 401, { headers: { authorization: '' } })).toMatchObject({
      type: 'invalid_request_error',
    });
    await expect(stripe.subscriptions.list({ expand: ['data.latest_invoice.payment_intent'] })).resolves.toBeDefined();
    const sub = await open();
    await expect(
      stripe.subscriptions.retrieve(sub.id, { expand: ['latest_invoice.payment_intent'] }),
    ).rejects.toMatchObject({ statusCode: 400 });
    await expect(
      stripe.subscriptions.update(sub.id, { cancel_at_period_end: false, cancel_at: '' }),
    ).rejects.toMatchObject({ statusCode: 400 });
    await expect(stripe.subscriptions.list({ customer: 'cus_none' })).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });

  it('repeats its answer for a repeated idempotency key, and refuses another request with it', async () => {
    const one = await stripe.customers.create({ email: 'a@b.test' }, { idempotencyKey: 'k1' });
    expect((await stripe.customers.create({ email: 'a@b.test' }, { idempotencyKey: 'k1' })).id).toBe(one.id);
    await expect(stripe.customers.create({ email: 'c@d.test' }, { idempotencyKey: 'k1' })).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    });
    await expect(stripe.customers.create({ test_clock: 'clock_none' }, { idempotencyKey: 'k2' })).rejects.toMatchObject(
      { statusCode: 400 },
    );
    expect((await stripe.customers.create({ email: 'a@b.test' }, { idempotencyKey: 'k2' })).email).toBe('a@b.test');
  });
});

describe('a browser', () => {
  const confirm = (id: string, form: Record<string, string>) =>
    fetch(`${simulator.url}/stripe-simulator/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });

  it("can pay with the intent's secret and the public key, and do nothing else", async () => {
    const secret = secretOf(await open());
    const id = secret.split('_secret_')[0]!;
    const form = {
      key: 'pk_test_x',
      client_secret: secret,
      payment_method: 'pm_card_visa',
      return_url: 'http://staffcast.test/settings?payment=success',
    };
    expect((await confirm(id, { ...form, client_secret: 'wrong' })).status).toBe(400);
    expect((await confirm(id, { ...form, key: 'sk_live_x' })).status).toBe(401);
    expect((await fetch(`${simulator.url}/stripe-simulator/v1/customers`)).status).toBe(404);
    expect(
      (await confirm(id, { ...form, payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' })).status,
    ).toBe(402);
    const paid = await confirm(id, form);
    expect(await paid.json()).toMatchObject({ status: 'succeeded' });
  });
});

describe('a restart', () => {
  it('keeps the account and undelivered events; without its file the account is empty', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
    const file = join(folder, 'account.json');
    let here = await startSimulator({ file, webhook: { url: 'http://127.0.0.1:9/', secret: 's' } });
    const { id } = await open(stripeOf(here));
    expect(here.account.state.deliveries.length).toBeGreaterThan(0);
    await here.stop();
    here = await startSimulator({ file });
    expect((await stripeOf(here).subscriptions.retrieve(id)).status).toBe('incomplete');
    expect(here.account.state.deliveries.length).toBeGreaterThan(0);
    await here.stop();
    rmSync(file);
    here = await startSimulator({ file });
    await expect(stripeOf(here).subscriptions.retrieve(id)).rejects.toMatchObject({ code: 'resource_missing' });
    expect((await stripeOf(here).prices.list({ lookup_keys: ['pro_monthly', 'pro_yearly'] })).data).toHaveLength(2);
    await here.stop();
    expect(existsSync(file)).toBe(true);
    rmSync(folder, { recursive: true });
  });
});
