import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Request } from 'playwright-core';
import { Api } from './kit/api.ts';
import { axeFindings, openBrowser, openPage, picture } from './kit/browser.ts';
import { linkIn, mailsTo } from './kit/mailbox.ts';
import { type Product, startProduct } from './kit/product.ts';

const VISITOR = 'maya.lindqvist@vendor.example';
const ANN = 'ann.kumar@agency.example';
const SCRIPT_LIMIT = 150_000;

let product: Product;
let browser: Browser;
let page: Page;
let ann: Api;

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  ({ page } = await openPage(await browser.newContext({ viewport: { width: 1440, height: 900 } }), [product.url]));
  ann = await verified(ANN);
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
async function countOf(api: Api): Promise<number> {
  const lists = await api.call<{ isDefault: boolean; contactCount: number }[]>('GET', '/api/email-lists?sendable=true');
  return lists.find((list) => list.isDefault)!.contactCount;
}

describe('the network', () => {
  it('is joined from the landing page, whose scripts are light', async () => {
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
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(SCRIPT_LIMIT);
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
});
