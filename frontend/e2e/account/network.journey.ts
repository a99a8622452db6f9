import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { Page, Request } from 'playwright-core';
import { verified } from '../kit/accounts.ts';
import type { Api } from '../kit/api.ts';
import { settled } from '../kit/browser.ts';
import { linkIn, mailsTo } from '../kit/mailbox.ts';
import { lookWithKeyboard } from '../kit/look.ts';
import type { Product } from '../kit/product.ts';
import { openOwnStage, type Stage } from '../kit/stage.ts';

const VISITOR = 'maya.lindqvist@vendor.example';
const [ANN, BOB] = ['ann.kumar@agency.example', 'bob.hale@bench.example'];
/** Delay in ms between the keys of a typed text. */
const KEY_DELAY_MS = 50;
const MAX_SCRIPT_BYTES = 150_000;

let stage: Stage;
let product: Product;
let page: Page;
let faults: string[];
let ann: Api;
let bob: Api;
let network: string;
let annsSend: string;

beforeAll(async () => {
  stage = await openOwnStage({ env: { LINK_GUARD_SECONDS: '300' } });
  ({ product, page, faults } = stage);
  [ann, bob] = [await verified(product, ANN), await verified(product, BOB)];
});

afterAll(() => stage?.close());

const look = (name: string) => lookWithKeyboard(page, name);

const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const send = async (api: Api, subject: string) =>
  api.call<{ id: string; recipientCount: string }>('POST', '/api/send-email', {
    emailListIds: [network],
    subject,
    content: 'Hello,\nare you free?',
    emailType: 'job-post',
  });
async function countOf(api: Api): Promise<number> {
  const lists = await api.call<{ id: string; isDefault: boolean; contactCount: number }[]>(
    'GET',
    '/api/email-lists?sendable=true',
  );
  const shared = lists.find((list) => list.isDefault)!;
  network = shared.id;
  return shared.contactCount;
}
const deliveries = (api: Api) =>
  api.call<{ recipientEmail: string; detail: string | null }[]>('GET', `/api/email-history/${annsSend}/deliveries`);
const detailOf = async (api: Api) => (await deliveries(api))[0]!.detail;
const reached = (api: Api) =>
  api.call<{ recipientCount: string; excluded: { suppressed: number } }>('POST', '/api/send-email/preview', {
    emailListIds: [network],
    emailType: 'job-post',
  });

describe('the network', () => {
  it('is joined from the landing page, whose scripts are small', async () => {
    expect(await countOf(ann)).toBe(0);
    const scripts = new Set<string>();
    const note = (request: Request) => void (request.url().endsWith('.js') && scripts.add(request.url()));
    page.on('request', note);
    await page.goto(product.url);
    await heading('One post, every right inbox.');
    await page.getByRole('button', { name: 'Subscribe' }).waitFor();
    page.off('request', note);
    const sizes = await Promise.all([...scripts].map(async (url) => gzipSync(await (await fetch(url)).bytes()).length));
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_SCRIPT_BYTES);
    await look('landing');
    await page.getByRole('textbox', { name: 'Email' }).fill('nobody');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('Please enter a valid email address').waitFor();
    await page.getByRole('textbox', { name: 'Email' }).clear();
    await page.getByRole('textbox', { name: 'Email' }).pressSequentially(VISITOR, { delay: KEY_DELAY_MS });
    await page.getByRole('radio', { name: /Job posts/ }).check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('Check Your Email!').waitFor();
    await heading('Check Your Email');
    expect(new URL(page.url()).pathname).toBe('/subscribe/pending');
    await look('subscribe-pending');
  });

  it('reports that an address has already asked to join', async () => {
    await page.goto(product.url);
    await page.getByRole('textbox', { name: 'Email' }).pressSequentially(VISITOR, { delay: KEY_DELAY_MS });
    await page.keyboard.press('Enter');
    await page.getByText('Confirmation Pending').waitFor();
  });

  it('counts the address once it has confirmed', async () => {
    expect(await reached(ann)).toMatchObject({ recipientCount: '0' });
    const [mail] = await mailsTo(product.mailboxUrl, VISITOR);
    await page.goto(linkIn(mail!, '/subscribe/confirmed'));
    await page.getByText('Subscription Confirmed!').waitFor();
    await look('subscribe-confirmed');
    expect(await countOf(ann)).toBe(1);
    expect(await reached(ann)).toMatchObject({ recipientCount: '1' });
  });

  it('is mailed by a sender, who sees only masked addresses', async () => {
    const { id } = await send(ann, 'Java developer, Dallas');
    const [mail] = await mailsTo(product.mailboxUrl, VISITOR, 2);
    expect(mail!.subject).toBe('Java developer, Dallas');
    annsSend = id;
    const [row] = await deliveries(ann);
    expect(row!.recipientEmail).toBe('m…@vendor.example');
  });

  it('is left from a fresh mail by one button; its page lists the senders and offers an undo; afterwards no sender reaches the address', async () => {
    const [mail] = await mailsTo(product.mailboxUrl, VISITOR, 2);
    const link = linkIn(mail!, '/unsubscribe/');
    await page.goto(link);
    const leave = page.getByRole('button', { name: 'Unsubscribe' });
    await leave.waitFor();
    await look('unsubscribe-fresh');
    await settled(page);
    expect(await reached(bob)).toMatchObject({ recipientCount: '1' });
    await leave.click();
    await page.getByText(`${VISITOR} has been removed from our mailing list`).waitFor();
    expect(await reached(bob)).toMatchObject({ recipientCount: '0', excluded: { suppressed: 1 } });
    expect(await detailOf(ann)).toBe('Unsubscribed after this email');
    await page.getByRole('button', { name: 'Show my senders' }).click();
    await page.getByText('You have left').waitFor();
    await look('unsubscribed');
    await page.getByRole('button', { name: 'Undo, I want to stay' }).click();
    await heading('Welcome back');
    expect(await reached(bob)).toMatchObject({ recipientCount: '1' });
    expect(await detailOf(ann)).toBeNull();
    await page.goto(link.replace(/\?.*/, ''));
    await page.getByText(`${VISITOR} has been removed from our mailing list`).waitFor();
    await expect(send(bob, 'From somebody else')).rejects.toThrow(/no_recipients/);
    expect(await mailsTo(product.mailboxUrl, VISITOR, 2)).toHaveLength(2);
    expect(await countOf(bob)).toBe(0);
  });

  it("shows a list's public page, or that there is no such list", async () => {
    const { slug } = await ann.call<{ slug: string }>('POST', '/api/email-lists', {
      name: 'Java vendors, East Coast',
      description: 'Contract openings from Boston to Charlotte, C2C and W2.',
    });
    await page.goto(`${product.url}/subscribe/list/${slug}`);
    await heading('Java vendors, East Coast');
    await page.getByRole('heading', { name: 'What happens next?' }).waitFor();
    await look('subscribe-list');
    await page
      .getByRole('textbox', { name: 'Email' })
      .pressSequentially('li.chen@vendor.example', { delay: KEY_DELAY_MS });
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await heading('Check Your Email');
    const [asked] = await mailsTo(product.mailboxUrl, 'li.chen@vendor.example');
    expect(asked!.subject).toBe('Confirm your subscription');
    expect(asked!.text).toContain('“Java vendors, East Coast”');
    await page.goto(`${product.url}/subscribe/list/no-such-list`);
    await heading('List Not Found');
    await look('subscribe-list-not-found');
    await page.goto(`${product.url}/unsubscribe/nonsense`);
    await page.getByText(/Invalid unsubscribe link/).waitFor();
    await look('unsubscribe-invalid');
  });

  it('redirects from its own addresses to no other site', async () => {
    for (const path of [
      '/verify-email?token=x&redirect=//evil.example',
      '/subscribe/pending?redirect=//evil.example',
      '/subscribe/confirmed?token=x&next=https://evil.example',
      '/login?next=javascript:alert(1)',
      '/login?next=//evil.example',
    ]) {
      await page.goto(product.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(new URL(page.url()).origin).toBe(product.url);
      const away = await page.evaluate(() =>
        [...document.querySelectorAll('a')]
          .map((link) => link.href)
          .filter((href) => !href.startsWith(location.origin)),
      );
      expect(away).toEqual([]);
    }
  });

  it('has pages that explain themselves without scripts', async () => {
    const bare = await (await stage.browser.newContext({ javaScriptEnabled: false })).newPage();
    await bare.goto(product.url);
    await bare.getByRole('heading', { level: 1, name: 'Staffcast: mail for IT staffing' }).waitFor();
    expect(await bare.locator('.plain').innerText()).toContain('mails only people who confirmed');
    expect(await bare.locator('meta[property="og:title"]').getAttribute('content')).toContain('Staffcast');
  });

  it('causes no script error and no request to another host', () => {
    expect(faults).toEqual([]);
  });
});
