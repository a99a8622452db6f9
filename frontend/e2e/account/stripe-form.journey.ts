import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Simulator } from '../../../backend/stripe-simulator/server.ts';
import { continueToPayment, payButton, planPart, register, useVisitors } from '../kit/billing.ts';
import { look } from '../kit/look.ts';
import { startProduct, type Product } from '../kit/product.ts';

const WEBHOOK_SECRET = 'whsec_journey_0123456789';

const DIST_FOLDER = join(import.meta.dirname, '../../dist');

const { visitor, faults } = useVisitors();

/**
 * Fakes the part of Stripe.js that the form uses. Records calls in `window.heard`; `window.verdict` is the result of
 * payments.
 */
const FAKE_STRIPE = `(() => {
  window.heard = [];
  const hear = (name, args) => window.heard.push([name, JSON.parse(JSON.stringify(args, (key, value) => (key === 'elements' ? '[elements]' : value)))]);
  const element = () => {
    const on = {};
    return {
      on: (name, then) => { on[name] = then; }, off() {}, update() {}, destroy() {},
      mount: (place) => { const box = document.createElement('p'); box.textContent = 'Card fields of Stripe'; place.append(box); setTimeout(() => on.ready && on.ready()); },
    };
  };
  window.Stripe = Object.assign((...args) => {
    hear('Stripe', args);
    return {
      elements: (options) => { hear('elements', [options]); return { create: element, getElement: () => null, update() {}, submit: async () => ({}) }; },
      createToken() {}, createPaymentMethod() {}, confirmCardPayment() {}, registerAppInfo() {}, _registerWrapper() {},
      confirmPayment: async (options) => {
        hear('confirmPayment', [options]);
        const error = await window.payInTest(window.heard.find(([name]) => name === 'elements')[1][0].clientSecret);
        if (error) return { error };
        window.location.assign(options.confirmParams.return_url);
        return new Promise(() => {});
      },
    };
  }, { version: 'endive' });
})();`;

describe("billing with Stripe's own form", () => {
  let product: Product;
  let simulator: Simulator;
  let page: Page;
  let verdict: 'decline' | 'pay' = 'decline';
  let isBlocked = true;
  const scripts: string[] = [];

  /** Confirms a payment like Stripe's script, with the typed card. */
  async function payInTest(clientSecret: string): Promise<{ code: string; message: string } | null> {
    const [intent] = clientSecret.split('_secret_');
    const form = new URLSearchParams({
      key: 'pk_test_journey',
      client_secret: clientSecret,
      payment_method: verdict === 'pay' ? 'pm_card_visa' : 'pm_card_visa_chargeDeclinedInsufficientFunds',
      return_url: product.url,
    });
    const answer = await fetch(`${simulator.url}/stripe-simulator/v1/payment_intents/${intent}/confirm`, {
      method: 'POST',
      body: form,
    });
    const { error } = (await answer.json()) as { error?: { code: string; message: string } };
    return error ?? null;
  }

  beforeAll(async () => {
    faults.length = 0;
    simulator = await Simulator.start({ pagesBase: 'http://stripe.test/stripe-simulator' });
    product = await startProduct({
      env: {
        STRIPE_SECRET_KEY: 'sk_test_journey',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_journey',
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
        STRIPE_API_URL: simulator.url,
      },
    });
    simulator.sendTo({ url: `${product.url}/api/stripe/webhook`, secret: WEBHOOK_SECRET });
    page = await visitor(product, ['https://js.stripe.com']);
    await page.exposeFunction('payInTest', payInTest);
    await page.route(/^https:/, (route) => route.abort());
    await page.route('https://js.stripe.com/**', (route) => {
      scripts.push(route.request().url());
      return isBlocked ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: FAKE_STRIPE });
    });
  });
  afterAll(async () => {
    await product?.stop();
    await simulator?.stop();
  });

  it('reports a blocked script, with a Retry that works', async () => {
    await register(page, product, 'marco@northline.example');
    expect(scripts).toEqual([]);
    await page.getByRole('link', { name: 'Upgrade to Pro' }).click();
    await continueToPayment(page);
    await page.getByText('The card form could not be loaded.', { exact: false }).waitFor();
    expect(new Set(scripts)).toEqual(new Set(['https://js.stripe.com/endive/stripe.js']));
    await look(page, 'subscribe-blocked');
    isBlocked = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Card fields of Stripe').waitFor();
    expect(await page.getByText('no real card is charged').count()).toBe(0);
    await look(page, 'subscribe-stripe');
  });

  it("shows the decline in Stripe's words", async () => {
    await payButton(page, 'Pay $96').click();
    await page.getByText('Payment failed').waitFor();
    await page.getByText('Your card has insufficient funds.').first().waitFor();
    const heard = (await page.evaluate('window.heard')) as [string, Record<string, unknown>[]][];
    const said = (name: string) => heard.find(([called]) => called === name)?.[1];
    expect(said('Stripe')?.[0]).toBe('pk_test_journey');
    expect(said('elements')?.[0]).toMatchObject({ clientSecret: expect.stringMatching(/^pi_.*_secret_/) });
    expect(said('confirmPayment')?.[0]).toMatchObject({
      confirmParams: { return_url: `${product.url}/settings?payment=success` },
    });
  });

  it('leads to the return address, where the server says what was paid', async () => {
    verdict = 'pay';
    await payButton(page, 'Pay $96').click();
    await page.waitForURL(/\/settings/);
    await planPart(page)
      .getByText(/^Renews on /)
      .waitFor();
    await planPart(page).getByText('Pro plan').waitFor();
  });

  it('makes requests to Stripe only, and to Stripe from the payment page only', async () => {
    const loaded = scripts.length;
    for (const path of ['/dashboard', '/settings', '/lists']) {
      const answer = await page.goto(`${product.url}${path}`);
      expect(answer?.headers()['content-security-policy']).not.toContain('stripe');
    }
    expect(scripts).toHaveLength(loaded);
    await page.close();
    expect(faults).toEqual([]);
  });
});

describe('the build', () => {
  /** All files that a page loads at its start; files that code requests later are not included. */
  function eager(): string[] {
    const found = new Set<string>();
    const add = (name: string) => {
      if (found.has(name)) return;
      found.add(name);
      const text = readFileSync(join(DIST_FOLDER, 'assets', name), 'utf8');
      for (const [, next] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) add(next!);
    };
    for (const [, name] of readFileSync(join(DIST_FOLDER, 'index.html'), 'utf8').matchAll(/assets\/([\w.-]+\.js)"/g))
      add(name!);
    return [...found];
  }

  it('keeps both card forms out of the scripts of every page', () => {
    expect(existsSync(DIST_FOLDER)).toBe(true);
    const read = (name: string) => readFileSync(join(DIST_FOLDER, 'assets', name), 'utf8');
    const files = readdirSync(join(DIST_FOLDER, 'assets')).filter((name) => name.endsWith('.js'));
    const holding = (text: string) => files.filter((name) => read(name).includes(text));
    const [first, app] = [eager(), files.filter((name) => name.startsWith('main-'))];
    expect(first.length * app.length).toBeGreaterThan(0);
    for (const text of ['pm_card_', 'js.stripe.com/'])
      for (const name of [...first, ...app]) expect([name, read(name).includes(text)]).toEqual([name, false]);
    const [demo, stripe] = [holding('pm_card_visa'), holding('/stripe.js')];
    expect(demo).toHaveLength(1);
    expect(stripe.length).toBeGreaterThan(0);
    expect(stripe).not.toContain(demo[0]);
  });

  it('contains no key and no price', () => {
    for (const name of readdirSync(join(DIST_FOLDER, 'assets')).filter((each) => each.endsWith('.js'))) {
      expect([
        name,
        /\b[ps]k_(test|live)_|price_[a-zA-Z0-9]{3}/.exec(readFileSync(join(DIST_FOLDER, 'assets', name), 'utf8'))?.[0],
      ]).toEqual([name, undefined]);
    }
  });
});
