import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Simulator } from '../../backend/stripe-simulator/server.ts';
import { answerWelcome, findings, openBrowser, openPage } from './kit/browser.ts';
import { type Product, startProduct } from './kit/product.ts';
import { sql } from './kit/seed.ts';
import { until } from './kit/until.ts';

const WEBHOOK_SECRET = 'whsec_journey_0123456789';
const PASSWORD = 'a long enough secret';
const DIST = join(import.meta.dirname, '../dist');

let browser: Browser;
const faults: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
});

const newContext = (): Promise<BrowserContext> => browser.newContext({ viewport: { width: 1440, height: 900 } });

/** A browser of a person's own; every request to another host than these is a fault. */
async function visitor(product: Product, allowed: string[] = []): Promise<Page> {
  const opened = await openPage(await newContext(), [product.url, ...allowed]);
  opened.page.on('close', () => faults.push(...opened.faults));
  return opened.page;
}

/** Registers in the browser itself: a session as a person has it. */
async function register(page: Page, product: Product, email: string): Promise<void> {
  await page.goto(`${product.url}/register`);
  await page.evaluate(
    async ([address, password]) => {
      const body = { email: address, password, firstName: 'Dana', lastName: 'Okafor', role: 'recruiter', agencyName: 'Northline Staffing' };
      const answer = await fetch('/api/auth/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
    },
    [email, PASSWORD] as const,
  );
  await page.goto(`${product.url}/dashboard`);
  await answerWelcome(page);
}

/** Looks at both widths in both schemes as a person with a reader would, and keeps pictures where asked. */
async function look(page: Page, name: string): Promise<void> {
  expect(await findings(page, name)).toEqual([]);
}

const planPart = (page: Page) => page.getByRole('region', { name: 'Usage & Subscription' });
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue to payment' }).click();
const payButton = (page: Page, name: RegExp | string = /^Pay \$/) => page.getByRole('button', { name });

async function payWith(page: Page, card: RegExp): Promise<void> {
  await page.getByRole('radio', { name: card }).check();
  await payButton(page).click();
}

/** What the person's own session answers. */
const ask = <T>(page: Page, path: string) => page.evaluate(async (at) => (await fetch(at)).json() as Promise<T>, path);

describe('billing on the simulator', () => {
  let product: Product;
  let page: Page;

  beforeAll(async () => {
    product = await startProduct();
    page = await visitor(product);
  });
  afterAll(async () => {
    await product?.stop();
  });

  it('#2: a signed-out visitor is asked to sign in', async () => {
    await page.goto(`${product.url}/subscribe`);
    await page.getByRole('heading', { level: 1, name: 'Authentication Required' }).waitFor();
    await look(page, 'subscribe-signed-out');
    await page.getByRole('link', { name: 'Sign In' }).click();
    await page.waitForURL(/\/login\?next=%2Fsubscribe$/);
  });

  it('offers Pro from the sidebar, yearly first', async () => {
    await register(page, product, 'dana@northline.example');
    await page.getByRole('link', { name: 'Upgrade to Pro' }).click();
    await page.getByRole('heading', { level: 1, name: 'Upgrade to Pro' }).waitFor();
    for (const text of ['$96', 'per year', 'Save $24 a year (20%)']) await page.getByText(text, { exact: true }).waitFor();
    await goOn(page);
    for (const text of ['Demo – no real card is charged']) await page.getByText(text, { exact: true }).waitFor();
    for (const feature of ['Unlimited emails per day', 'Custom email lists', 'Email history tracking', 'Priority support']) await page.getByText(feature, { exact: false }).first().waitFor();
    await payButton(page, 'Pay $96').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await look(page, 'subscribe-yearly');
    await page.getByRole('tab', { name: 'Monthly' }).click();
    await goOn(page);
    await payButton(page, 'Pay $10').waitFor();
    await look(page, 'subscribe-monthly');
    await page.getByRole('tab', { name: 'Yearly' }).click();
    await goOn(page);
    await payButton(page, 'Pay $96').waitFor();
  });

  it("#9: shows the provider's words for a declined card, and takes another", async () => {
    await payWith(page, /is declined/);
    await page.getByText('Payment failed').waitFor();
    await page.getByText('Your card was declined.').first().waitFor();
    await look(page, 'subscribe-declined');
  });

  it('#10: a failed 3-D Secure question grants nothing, whatever the address says', async () => {
    await payWith(page, /3-D Secure/);
    await page.waitForURL(/\/stripe-simulator\/3ds\//);
    await page.getByRole('button', { name: 'Fail authentication' }).click();
    await page.waitForURL(/\/settings\?payment=success/);
    await planPart(page).getByText('No payment has arrived yet', { exact: false }).waitFor();
    await planPart(page).getByText('Free plan').waitFor();
    await look(page, 'settings-no-payment');
    expect(await ask(page, '/api/stripe/subscription-status')).toMatchObject({ hasSubscription: false });
  });

  it('#7, #10: paying with a passed question makes the account Pro at once', async () => {
    await planPart(page).getByRole('link', { name: 'Back to payment' }).click();
    await goOn(page);
    await payWith(page, /3-D Secure/);
    await page.waitForURL(/\/stripe-simulator\/3ds\//);
    await page.getByRole('button', { name: 'Complete authentication' }).click();
    await page.getByText('You are on Pro', { exact: true }).waitFor();
    await planPart(page).getByText('Pro plan').waitFor();
    await planPart(page).getByText(/^Renews on [A-Z][a-z]{2} \d{1,2}, \d{4}$/).waitFor();
    await page.waitForURL(`${product.url}/settings`);
    await page.getByRole('link', { name: 'Upgrade to Pro' }).waitFor({ state: 'detached' });
    await look(page, 'settings-renews');
  });

  it('#12: with a plan, /subscribe says so and leads to the settings', async () => {
    await page.goto(`${product.url}/subscribe`);
    await page.getByText('Already subscribed', { exact: true }).waitFor();
    await page.waitForURL(`${product.url}/settings`);
  });

  it('#13, #15: cancels with its period after a question, and goes on again', async () => {
    const part = planPart(page);
    await part.getByRole('button', { name: 'Cancel' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Cancel your Pro plan?' });
    await dialog.getByText(/You keep Pro until .* and are not charged again/).waitFor();
    await look(page, 'settings-cancel-dialog');
    await dialog.getByRole('button', { name: 'Cancel plan' }).click();
    await page.getByText('Subscription Canceled').waitFor();
    await part.getByText(/^Cancels on /).waitFor();
    await look(page, 'settings-cancels');
    await part.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByText('Subscription Reactivated').waitFor();
    await part.getByText(/^Renews on /).waitFor();
  });

  it('#14, #19: the portal opens; what was done there stands in the settings, and Back leads there', async () => {
    const part = planPart(page);
    await part.getByRole('button', { name: 'Billing portal' }).click();
    await page.waitForURL(/\/stripe-simulator\/portal\//);
    await page.getByRole('button', { name: 'Cancel plan' }).click();
    await page.getByRole('button', { name: 'Do not cancel' }).waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.waitForURL(`${product.url}/settings`);
    await part.getByText(/^Cancels on /).waitFor();
    await part.getByRole('button', { name: 'Reactivate' }).click();
    await part.getByText(/^Renews on /).waitFor();
  });

  it('says what to do while money is owed; the way to pay asks Stripe first', async () => {
    const part = planPart(page);
    // As if an event had been lost: nothing is owed at Stripe. One of the last change may still come, and put it right.
    await until('money that is owed', async () => {
      await sql(product, `update user_subscriptions set status = 'unpaid'`);
      await page.reload();
      await part.getByRole('button', { name: 'Billing portal' }).waitFor();
      return part.getByText('Payment is due.').isVisible();
    });
    await look(page, 'settings-unpaid');
    await part.getByRole('link', { name: 'Pay now' }).click();
    await page.getByText('Already subscribed', { exact: true }).waitFor();
    await planPart(page).getByText(/^Renews on /).waitFor();
  });

  it('D44: shows features, prices and that billing is off', async () => {
    const other = await visitor(product);
    await other.route('**/api/stripe/config', (route) => route.fulfill({ json: { mode: 'off', publishableKey: null } }));
    await register(other, product, 'off@northline.example');
    await other.goto(`${product.url}/subscribe`);
    await other.getByText('Billing is not configured').waitFor();
    await other.getByText('$96', { exact: true }).waitFor();
    await look(other, 'subscribe-off');
    await other.close();
  });

  it('contacts no outside host', async () => {
    await page.close();
    expect(faults).toEqual([]);
  });
});

/** As much of Stripe.js as the form uses. What it is told is kept in `window.heard`; `window.verdict` says how a payment ends. */
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

  /** What Stripe's script would do with the card that was typed. */
  async function payInTest(clientSecret: string): Promise<{ code: string; message: string } | null> {
    const [intent] = clientSecret.split('_secret_');
    const form = new URLSearchParams({ key: 'pk_test_journey', client_secret: clientSecret, payment_method: verdict === 'pay' ? 'pm_card_visa' : 'pm_card_visa_chargeDeclinedInsufficientFunds', return_url: product.url });
    const answer = await fetch(`${simulator.url}/stripe-simulator/v1/payment_intents/${intent}/confirm`, { method: 'POST', body: form });
    const { error } = (await answer.json()) as { error?: { code: string; message: string } };
    return error ?? null;
  }

  beforeAll(async () => {
    faults.length = 0;
    simulator = await Simulator.start({ pagesBase: 'http://stripe.test/stripe-simulator' });
    product = await startProduct({
      env: { STRIPE_SECRET_KEY: 'sk_test_journey', STRIPE_PUBLISHABLE_KEY: 'pk_test_journey', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_URL: simulator.url },
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

  it('#44: says so where the script is blocked, with a Retry that works', async () => {
    await register(page, product, 'marco@northline.example');
    expect(scripts).toEqual([]);
    await page.getByRole('link', { name: 'Upgrade to Pro' }).click();
    await goOn(page);
    await page.getByText('The card form could not be loaded.', { exact: false }).waitFor();
    expect(new Set(scripts)).toEqual(new Set(['https://js.stripe.com/endive/stripe.js']));
    await look(page, 'subscribe-blocked');
    isBlocked = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Card fields of Stripe').waitFor();
    expect(await page.getByText('no real card is charged').count()).toBe(0);
    await look(page, 'subscribe-stripe');
  });

  it("#44: shows the decline in Stripe's words", async () => {
    await payButton(page, 'Pay $96').click();
    await page.getByText('Payment failed').waitFor();
    await page.getByText('Your card has insufficient funds.').first().waitFor();
    const heard = (await page.evaluate('window.heard')) as [string, Record<string, unknown>[]][];
    const said = (name: string) => heard.find(([called]) => called === name)?.[1];
    expect(said('Stripe')?.[0]).toBe('pk_test_journey');
    expect(said('elements')?.[0]).toMatchObject({ clientSecret: expect.stringMatching(/^pi_.*_secret_/) });
    expect(said('confirmPayment')?.[0]).toMatchObject({ confirmParams: { return_url: `${product.url}/settings?payment=success` } });
  });

  it('#44: reaches the return address, where the server says what was paid', async () => {
    verdict = 'pay';
    await payButton(page, 'Pay $96').click();
    await page.waitForURL(/\/settings/);
    await planPart(page).getByText(/^Renews on /).waitFor();
    await planPart(page).getByText('Pro plan').waitFor();
  });

  it('#44: contacts no other host, and Stripe from the paying page alone', async () => {
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
  /** Every file that a page loads before anything is asked for by name. */
  function eager(): string[] {
    const found = new Set<string>();
    const add = (name: string) => {
      if (found.has(name)) return;
      found.add(name);
      const text = readFileSync(join(DIST, 'assets', name), 'utf8');
      for (const [, next] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) add(next!);
    };
    for (const [, name] of readFileSync(join(DIST, 'index.html'), 'utf8').matchAll(/assets\/([\w.-]+\.js)"/g)) add(name!);
    return [...found];
  }

  it('keeps both card forms out of what every page loads', () => {
    expect(existsSync(DIST)).toBe(true);
    const read = (name: string) => readFileSync(join(DIST, 'assets', name), 'utf8');
    const files = readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.js'));
    const holding = (text: string) => files.filter((name) => read(name).includes(text));
    const [first, app] = [eager(), files.filter((name) => name.startsWith('main-'))];
    expect(first.length * app.length).toBeGreaterThan(0);
    for (const text of ['pm_card_', 'js.stripe.com/']) for (const name of [...first, ...app]) expect([name, read(name).includes(text)]).toEqual([name, false]);
    const [demo, stripe] = [holding('pm_card_visa'), holding('/stripe.js')];
    expect(demo).toHaveLength(1);
    expect(stripe.length).toBeGreaterThan(0);
    expect(stripe).not.toContain(demo[0]);
  });

  it('holds no key and no price', () => {
    for (const name of readdirSync(join(DIST, 'assets')).filter((each) => each.endsWith('.js'))) {
      expect([name, /\b[ps]k_(test|live)_|price_[a-zA-Z0-9]{3}/.exec(readFileSync(join(DIST, 'assets', name), 'utf8'))?.[0]]).toEqual([name, undefined]);
    }
  });
});
