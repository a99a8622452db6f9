import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSettings, SettingsError } from '../../../src/shared/config/read-settings.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { simulatorEnv, startSimulator } from '../../kit/stripe/stripe.js';

describe('billing without keys', () => {
  let app: TestApp;
  beforeAll(async () => void (app = await startApp()), 120_000);
  afterAll(() => app.close());

  it('shows plans, config and status, without offering a purchase', async () => {
    const user = await app.user();
    const { body: plans } = await app.http().get('/api/billing/plans').expect(200);
    expect(plans).toMatchObject([
      { code: 'pro_monthly', priceCents: 1000, stripePriceId: null },
      { code: 'pro_yearly', priceCents: 9600, stripePriceId: null },
    ]);
    await app.http().get('/api/stripe/config').expect(200, { mode: 'off', publishableKey: null });
    await user.agent
      .get('/api/stripe/subscription-status')
      .expect(200, { hasSubscription: false, referralCreditsMonths: '0', subscription: null });
    const calls = {
      'create-subscription': { priceId: 'price_x', billingPeriod: 'yearly' },
      'cancel-subscription': { immediately: false },
      'reactivate-subscription': {},
      'create-portal-session': {},
    };
    for (const [call, body] of Object.entries(calls)) {
      const answer = await user.agent.post(`/api/stripe/${call}`).send(body).expect(503);
      expect(answer.body).toMatchObject({ code: 'billing_off', message: 'Billing is not configured' });
    }
    await app.http().post('/api/stripe/webhook').set('stripe-signature', 't=1,v1=0').send({ id: 'evt_1' }).expect(503);
    await app.http().get('/stripe-simulator/portal/bps_1').expect(404);
    expect((await app.http().get('/subscribe')).headers['content-security-policy']).not.toMatch(/stripe/);
  });
});

describe("the simulator on the product's port", () => {
  it('is reachable by browsers while it is in use', async () => {
    const simulator = await startSimulator();
    const app = await startApp({ env: { ...simulatorEnv(simulator), STAFFCAST_EMBEDDED: 'stripe' } });
    try {
      expect((await app.http().get('/api/stripe/config').expect(200)).body).toEqual({
        mode: 'demo',
        publishableKey: 'pk_test_kit',
      });
      await app.http().get('/stripe-simulator/portal/bps_none').expect(404).expect('content-type', /html/);
      expect((await app.http().get('/subscribe')).headers['content-security-policy']).not.toMatch(/stripe/);
      for (const path of [
        '..',
        '%2e%2e',
        '%2E.',
        '..%2f_sim',
        '%252e%252e%252f_sim',
        '..%5c_sim',
        '%2e%2e%5c..',
        'portal/../..',
        'portal/%2e%2e/%2e%2e',
        '%25%32%65%25%32%65%2f_sim',
        './/..',
        '%zz/..',
      ]) {
        for (const mount of ['/stripe-simulator', '/Stripe-Simulator']) {
          const status = await rawStatus(app.url, 'POST', `${mount}/${path}/_sim/faults`, '{"fail500":3}');
          expect([path, status]).toEqual([path, 404]);
        }
      }
      expect(simulator.deliveries.faults).toEqual({});
      const control = (key?: string) =>
        fetch(`${simulator.url}/_sim/faults`, {
          method: 'POST',
          body: '{"copies":1}',
          headers: key ? { authorization: `Bearer ${key}` } : {},
        });
      expect([(await control()).status, (await control('sk_test_kit')).status]).toEqual([401, 404]);
      simulator.sendTo({ url: `${app.url}/api/stripe/webhook`, secret: 'whsec_of_this_run' });
      expect((await control('whsec_of_this_run')).status).toBe(200);
      const user = await app.user();
      const { body } = await user.agent
        .post('/api/stripe/create-subscription')
        .send({ priceId: 'price_pro_yearly', billingPeriod: 'yearly' })
        .expect(200);
      const secret = body.clientSecret as string;
      const confirm = (card: string) =>
        user.agent
          .post(`/stripe-simulator/v1/payment_intents/${secret.split('_secret_')[0]}/confirm`)
          .type('form')
          .send({
            key: 'pk_test_kit',
            client_secret: secret,
            payment_method: card,
            return_url: 'http://staffcast.test/settings?payment=success',
          });
      expect((await confirm('pm_card_visa_chargeDeclined').expect(402)).body).toMatchObject({
        error: { code: 'card_declined', message: 'Your card was declined.' },
      });
      const { body: asked } = await confirm('pm_card_threeDSecure2Required').expect(200);
      const { pathname, search } = new URL(
        (asked as { next_action: { redirect_to_url: { url: string } } }).next_action.redirect_to_url.url,
      );
      await app
        .http()
        .get(`${pathname}${search}`)
        .expect(200)
        .expect(/Complete authentication/);
      await app
        .http()
        .post(`${pathname}${search}`)
        .type('form')
        .send({ outcome: 'pass' })
        .expect(303)
        .expect('location', /^http:\/\/staffcast\.test\/settings\?payment=success/);
      expect((await user.agent.get('/api/stripe/subscription-status').expect(200)).body).toMatchObject({
        hasSubscription: true,
      });
      await simulator.stop();
      await app.http().get('/stripe-simulator/portal/bps_none').expect(503);
    } finally {
      await app.close();
    }
  });
});

describe('the settings of billing', () => {
  const base = {
    DATABASE_URL: 'postgres://x/y',
    REDIS_URL: 'redis://x',
    SMTP_URL: 'smtp://x',
    JWT_SECRET: '0123456789abcdef0123456789abcdef',
    MAIL_FROM: 'a@b.test',
    POSTAL_ADDRESS: 'x',
  };
  const faults = (env: Record<string, string>): string => {
    try {
      readSettings({ ...base, ...env });
      return '';
    } catch (error) {
      return (error as SettingsError).faults.join();
    }
  };
  const full = {
    STRIPE_SECRET_KEY: 'sk_live_a',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_b',
    STRIPE_WEBHOOK_SECRET: 'whsec_c',
  };

  it('are required together', () => {
    expect(faults(full)).toBe('');
    expect(readSettings({ ...base, ...full }).billingMode).toBe('live');
    expect(
      readSettings({ ...base, ...full, STRIPE_SECRET_KEY: 'rk_test_a', STRIPE_PUBLISHABLE_KEY: 'pk_test_b' })
        .billingMode,
    ).toBe('test');
    expect(readSettings(base).billingMode).toBe('off');
    expect(faults({ STRIPE_SECRET_KEY: 'sk_live_a' })).toMatch(/STRIPE_PUBLISHABLE_KEY.*STRIPE_WEBHOOK_SECRET/);
    expect(faults({ ...full, STRIPE_PUBLISHABLE_KEY: 'pk_test_b' })).toMatch(/both be live/);
    expect(faults({ ...full, STAFFCAST_EMBEDDED: 'stripe' })).toMatch(/simulator refuses live keys/);
    expect(faults({ NODE_ENV: 'production', STAFFCAST_EMBEDDED: 'stripe' })).toMatch(
      /production refuses the embedded stripe/,
    );
  });
});

/** Status of a request whose path is sent unchanged. HTTP clients would resolve the dots in it. */
function rawStatus(url: string, method: string, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const call = request(
      { hostname, port, method, path, headers: { 'content-type': 'application/json' } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    call.on('error', reject).end(body);
  });
}
