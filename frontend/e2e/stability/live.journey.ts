import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import type { Api } from '../kit/api.ts';
import { answerWelcome, findings } from '../kit/browser.ts';
import { linkIn, mailTo } from '../kit/mailbox.ts';
import type { Product } from '../kit/product.ts';
import { openOwnStage, type Stage } from '../kit/stage.ts';
import { until } from '../kit/until.ts';

const NEW = 'tess.moreau@agency.example';
const OWNER = 'olga.petrov@agency.example';

let stage: Stage;
let product: Product;
beforeAll(async () => {
  stage = await openOwnStage();
  ({ product } = stage);
});
afterAll(() => stage?.close());

/** Opens another tab in the same browser, and records its event streams. */
async function tab(of: Page): Promise<{ page: Page; streams: string[] }> {
  const page = await of.context().newPage();
  const streams: string[] = [];
  page.on('request', (request) => request.url().includes('/api/events') && streams.push(request.url()));
  return { page, streams };
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

describe('the same person in two tabs', () => {
  it('loses the unverified banner in the first when the mailed link is opened in the second, and stays signed in in both', async () => {
    const { page } = stage;
    await page.goto(`${product.url}/register`);
    for (const [label, value] of [
      ['First name', 'Tess'],
      ['Last name', 'Moreau'],
      ['Email', NEW],
      ['Password', 'a long enough secret'],
      ['Confirm password', 'a long enough secret'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(value);
    }
    await page.getByRole('radio', { name: /Recruiter/ }).check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await answerWelcome(page);
    await heading(page, 'Dashboard');
    const banner = page.getByRole('complementary', { name: 'Email verification' });
    await banner.waitFor();
    const mail = await mailTo(product.mailboxUrl, NEW, () => true);
    const second = await tab(page);
    await second.page.goto(linkIn(mail, '/verify-email'));
    await heading(second.page, 'Dashboard');
    await banner.waitFor({ state: 'detached' });
    expect(second.streams).toEqual([]);
    await heading(page, 'Dashboard');
    await second.page.close();
  });
});

describe('an open app', () => {
  let page: Page;
  let second: Awaited<ReturnType<typeof tab>>;
  let api: Api;
  const streams: string[] = [];

  beforeAll(async () => {
    api = await verified(product, OWNER);
    ({ page } = await stage.device());
    page.on('request', (request) => request.url().includes('/api/events') && streams.push(request.url()));
    await signIn(page, product, OWNER);
    await answerWelcome(page);
    second = await tab(page);
  });

  it('has one stream for two tabs', async () => {
    await page.goto(`${product.url}/lists`);
    await heading(page, 'Email Lists');
    await until('a stream', () => streams.length > 0);
    await second.page.goto(`${product.url}/lists`);
    await heading(second.page, 'Email Lists');
    expect(second.streams).toEqual([]);
  });

  it('shows a list made elsewhere, and contacts as they are added and confirm, without a press', async () => {
    const list = await api.call<{ id: string }>('POST', '/api/email-lists', { name: 'Vendors in Texas' });
    for (const { page: one } of [{ page }, second]) await one.getByText('Vendors in Texas').first().waitFor();
    await page
      .getByRole('link', { name: /Vendors in Texas/ })
      .first()
      .click();
    await heading(page, 'Vendors in Texas');
    await api.call('POST', `/api/email-lists/${list.id}/subscribers`, { email: 'maya@vendor.example', name: 'Maya' });
    await page.getByText('maya@vendor.example').first().waitFor();
    await page.getByText('Pending').first().waitFor();
    const mail = await mailTo(product.mailboxUrl, 'maya@vendor.example', () => true);
    const visitor = await stage.device();
    await visitor.page.goto(linkIn(mail, '/subscribe/confirmed'));
    await visitor.page.getByText('Subscription Confirmed!').first().waitFor();
    await page.getByRole('gridcell').getByText('Confirmed').first().waitFor();
    expect(await findings(page, 'list-live')).toEqual([]);
  });

  it('reports the end of an import and of a send on any screen', async () => {
    await second.page.goto(`${product.url}/settings`);
    await heading(second.page, /Settings/);
    const lists = await api.call<{ id: string }[]>('GET', '/api/email-lists');
    const people = Array.from({ length: 3_000 }, (_, n) => `p${n}@people.example`);
    await api.call('POST', `/api/email-lists/${lists[0]!.id}/subscribers/import`, { lines: people });
    await second.page.locator('#toasts').getByText('Contacts Added!').first().waitFor();
    await api.call('POST', '/api/send-email', {
      emailListIds: [lists[0]!.id],
      subject: 'Java in Dallas',
      content: 'Hello',
      emailType: 'job-post',
    });
    await second.page.locator('#toasts').getByText('Send Finished').first().waitFor();
    expect(await second.page.title()).toMatch(/^(\(\d+\) )?Settings/);
  });
});
