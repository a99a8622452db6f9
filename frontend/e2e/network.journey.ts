import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { Api } from './kit/api.ts';
import { axeFindings, openBrowser, openPage, picture } from './kit/browser.ts';
import { linkIn, mailsTo } from './kit/mailbox.ts';
import { type Product, startProduct } from './kit/product.ts';

const VISITOR = 'maya.lindqvist@vendor.example';
const [ANN, BOB] = ['ann.kumar@agency.example', 'bob.hale@bench.example'];
const SCRIPT_LIMIT = 150_000;

let product: Product;
let browser: Browser;
let page: Page;
let faults: string[];
let ann: Api;
let bob: Api;
let network: string;

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  ({ page, faults } = await openPage(await browser.newContext({ viewport: { width: 1440, height: 900 } }), [product.url]));
  [ann, bob] = [await verified(ANN), await verified(BOB)];
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** An account whose address is proved. */
async function verified(email: string): Promise<Api> {
  const api = await Api.register(product.url, email);
  const [mail] = await mailsTo(product.mailboxUrl, email);
  await api.call('POST', '/api/auth/verify-email', { token: new URL(linkIn(mail!, '/verify-email')).searchParams.get('token') });
  return api;
}

/** axe in both schemes at both widths, and a picture of each. */
async function look(name: string): Promise<void> {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const scheme of ['dark', 'light']) {
      await page.evaluate((mode) => document.documentElement.setAttribute('data-theme', mode), scheme);
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await picture(page, name);
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const send = async (api: Api, subject: string) =>
  api.call<{ id: string; recipientCount: string }>('POST', '/api/send-email', { emailListIds: [network], subject, content: 'Hello,\nare you free?', emailType: 'job-post' });
async function countOf(api: Api): Promise<number> {
  const lists = await api.call<{ id: string; isDefault: boolean; contactCount: number }[]>('GET', '/api/email-lists?sendable=true');
  const shared = lists.find((list) => list.isDefault)!;
  network = shared.id;
  return shared.contactCount;
}
const reached = (api: Api) =>
  api.call<{ recipientCount: number; excluded: { suppressed: number } }>('POST', '/api/send-email/preview', { emailListIds: [network], emailType: 'job-post' });

describe('the network', () => {
  it('is joined from the landing page, whose scripts are light', async () => {
    expect(await countOf(ann)).toBe(0);
    const scripts: Promise<number>[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.body().then((body) => gzipSync(body).length));
    });
    await page.goto(product.url);
    await heading('One post, every right inbox.');
    await page.waitForLoadState('networkidle');
    page.removeAllListeners('response');
    expect((await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)).toBeLessThan(SCRIPT_LIMIT);
    await look('landing');
    await page.getByRole('textbox', { name: 'Email' }).fill('nobody');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('Please enter a valid email address').waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill(VISITOR);
    await page.getByRole('radio', { name: /Job posts/ }).check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('Check Your Email!').waitFor();
    await heading('Check Your Email');
    expect(new URL(page.url()).pathname).toBe('/subscribe/pending');
    await look('subscribe-pending');
  });

  it('says so when the same address asks again', async () => {
    await page.goto(product.url);
    await page.getByRole('textbox', { name: 'Email' }).fill(VISITOR);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('Confirmation Pending').waitFor();
  });

  it('has the address confirm, and counts it', async () => {
    expect(await reached(ann)).toMatchObject({ recipientCount: 0 });
    const [mail] = await mailsTo(product.mailboxUrl, VISITOR);
    await page.goto(linkIn(mail!, '/subscribe/confirmed'));
    await page.getByText('Subscription Confirmed!').waitFor();
    await look('subscribe-confirmed');
    expect(await countOf(ann)).toBe(1);
    expect(await reached(ann)).toMatchObject({ recipientCount: 1 });
  });

  it("reaches it with a sender's mail, whose address stays masked", async () => {
    const { id } = await send(ann, 'Java developer, Dallas');
    const [mail] = await mailsTo(product.mailboxUrl, VISITOR, 2);
    expect(mail!.subject).toBe('Java developer, Dallas');
    const [row] = await ann.call<{ recipientEmail: string }[]>('GET', `/api/email-history/${id}/deliveries`);
    expect(row!.recipientEmail).toBe('m…@vendor.example');
  });

  it('lets it leave from the mail, look at its senders and undo; having left, no sender reaches it', async () => {
    const [mail] = await mailsTo(product.mailboxUrl, VISITOR, 2);
    const link = linkIn(mail!, '/unsubscribe/');
    await page.goto(link);
    await page.getByText(`${VISITOR} has been removed from our mailing list`).waitFor();
    expect(await reached(bob)).toMatchObject({ recipientCount: 0, excluded: { suppressed: 1 } });
    await page.getByRole('button', { name: 'Show my senders' }).click();
    await page.getByText('You have left').waitFor();
    await look('unsubscribed');
    await page.getByRole('button', { name: 'Undo, I want to stay' }).click();
    await heading('Welcome back');
    expect(await reached(bob)).toMatchObject({ recipientCount: 1 });
    await page.goto(link);
    await page.getByText(`${VISITOR} has been removed from our mailing list`).waitFor();
    await expect(send(bob, 'From somebody else')).rejects.toThrow(/no_recipients/);
    expect(await mailsTo(product.mailboxUrl, VISITOR, 2)).toHaveLength(2);
    expect(await countOf(bob)).toBe(0);
  });

  it("shows a list's public page, and that there is none", async () => {
    const { slug } = await ann.call<{ slug: string }>('POST', '/api/email-lists', { name: 'Java vendors, East Coast', description: 'Contract openings from Boston to Charlotte, C2C and W2.' });
    await page.goto(`${product.url}/subscribe/list/${slug}`);
    await heading('Java vendors, East Coast');
    await page.getByRole('heading', { name: 'What happens next?' }).waitFor();
    await look('subscribe-list');
    await page.getByRole('textbox', { name: 'Email' }).fill('li.chen@vendor.example');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await heading('Check Your Email');
    await page.goto(`${product.url}/subscribe/list/no-such-list`);
    await heading('List Not Found');
    await look('subscribe-list-not-found');
    await page.goto(`${product.url}/unsubscribe/nonsense`);
    await page.getByText(/Invalid unsubscribe link/).waitFor();
    await look('unsubscribe-invalid');
  });

  it('opens no other site from an address of ours (S60)', async () => {
    for (const path of ['/verify-email?token=x&redirect=//evil.example', '/subscribe/pending?redirect=//evil.example', '/subscribe/confirmed?token=x&next=https://evil.example', '/login?next=javascript:alert(1)', '/login?next=//evil.example']) {
      await page.goto(product.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(new URL(page.url()).origin).toBe(product.url);
      const away = await page.evaluate(() => [...document.querySelectorAll('a')].map((link) => link.href).filter((href) => !href.startsWith(location.origin)));
      expect(away).toEqual([]);
    }
  });

  it('says what it is without scripts', async () => {
    const bare = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await bare.goto(product.url);
    await bare.getByRole('heading', { level: 1, name: 'Staffcast: mail for IT staffing' }).waitFor();
    await bare.getByText('only people who confirmed').first().waitFor();
    expect(await bare.locator('meta[property="og:title"]').getAttribute('content')).toContain('Staffcast');
  });

  it('met no script error and asked no outside host', () => {
    expect(faults).toEqual([]);
  });
});
