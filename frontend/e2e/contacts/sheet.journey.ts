import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn } from '../kit/accounts.ts';
import { Api } from '../kit/api.ts';
import { answerWelcome } from '../kit/browser.ts';
import { look as lookAt, lookWithKeyboard } from '../kit/look.ts';
import type { Product } from '../kit/product.ts';
import { sql } from '../kit/seed.ts';
import { openSink, type Sink } from '../kit/sink.ts';
import { openOwnStage, type Stage } from '../kit/stage.ts';

const SENDER = 'dana.okafor@agency.example';
const SUBJECT = 'Senior Java developer with Kafka and payments experience, Dallas or remote, 12 months C2C';
const PEOPLE_COUNT = 240;
const FULL_MAILBOX_COUNT = 3;

let stage: Stage;
let product: Product;
let sink: Sink;
let api: Api;
let page: Page;
let faults: string[];

beforeAll(async () => {
  sink = await openSink();
  stage = await openOwnStage({ env: { SMTP_URL: sink.url } });
  ({ product, page, faults } = stage);
  api = await Api.register(product.url, SENDER);
  await sql(product, `update auth_credentials set is_verified = true, verified_at = now()`);
  await sql(product, `update users set custom_daily_limit = '100'`);
  await sql(product, `insert into email_lists (name, slug, owner_id) select 'Java vendors', 'sheet', id from users`);
  await sql(
    product,
    `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
     select e, e, sha256(e::bytea), 'job-posts', true, now(), rtrim(translate(encode(sha256(e::bytea), 'base64'), '+/', '-_'), '='), l.id, 'none'
     from email_lists l, (select case when i <= $2::int then 'full' when i <= $2::int + 2 then 'nobody' else 'person' end || i || '.' || (array['hiring', 'sourcing', 'talent.acquisition.partnerships'])[1 + i % 3] || '@vendor' || i % 7 || '.example' as e
       from generate_series(1, $1::int) i) s where l.slug = 'sheet'`,
    [PEOPLE_COUNT, FULL_MAILBOX_COUNT],
  );
  await signIn(page, product, SENDER);
  await answerWelcome(page);
});

afterAll(async () => {
  await stage?.close();
  await sink?.close();
});

const look = (name: string) => lookAt(page, name);

const lookAndTab = (name: string) => lookWithKeyboard(page, name);

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const question = () => page.getByRole('alertdialog');
const log = () => page.getByRole('region', { name: 'Delivery log' });
const outcome = (word: string) => page.getByLabel('Outcome').locator('div', { hasText: word }).last();

async function startSend(): Promise<void> {
  const [list] = await api.call<{ id: string }[]>('GET', '/api/email-lists');
  const { id } = await api.call<{ id: string }>('POST', '/api/send-email', {
    emailListIds: [list!.id],
    subject: SUBJECT,
    emailType: 'job-post',
    content: `Hello,\n\nare you free from ${Date.now()} on?\n\nDana`,
  });
  await page.goto(`${product.url}/history/${id}`);
  await page.getByRole('heading', { level: 1, name: SUBJECT }).waitFor();
}

async function filter(status: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Delivery status' }).click();
  await page.getByRole('option', { name: status, exact: true }).click();
}

describe('the sheet of a send', () => {
  it('shows the progress of a send, and pauses it after a question', async () => {
    sink.hold();
    await startSend();
    await log()
      .getByText(/^person\d+/)
      .first()
      .waitFor();
    await button('Pause').click();
    await question()
      .getByText(/, \d+ recipients still waiting$/)
      .waitFor();
    await lookAndTab('sheet-pause');
    await question().getByRole('button', { name: 'Pause send' }).click();
    await button('Resume').waitFor();
    await question().waitFor({ state: 'detached' });
    await page.getByRole('progressbar', { name: 'Paused' }).waitFor();
    sink.release();
    await lookAndTab('sheet-paused');
  });

  it('resumes the send and cancels it: waiting recipients are skipped', async () => {
    sink.hold();
    await button('Resume').click();
    await button('Pause').waitFor();
    await page.getByRole('progressbar', { name: 'Sending' }).waitFor();
    await button('Cancel send').click();
    await question()
      .getByText(/still waiting$/)
      .waitFor();
    await question().getByRole('button', { name: 'Cancel send' }).click();
    await question().waitFor({ state: 'detached' });
    sink.release();
    await page.locator('[data-status="cancelled"]').first().waitFor();
    await button('Cancel send').waitFor({ state: 'detached' });
    await filter('Skipped');
    await log().getByText('Cancelled by the sender').first().waitFor();
    expect(sink.total()).toBeLessThan(PEOPLE_COUNT);
    await look('sheet-cancelled');
  });

  it('says why some recipients did not get it', async () => {
    sink.refuse = (address) =>
      address.startsWith('full')
        ? '552 5.2.2 mailbox full'
        : address.startsWith('nobody')
          ? '550 5.1.1 no such user here'
          : undefined;
    await startSend();
    await button(`Retry failed (${FULL_MAILBOX_COUNT})`).waitFor();
    await outcome('Sent')
      .getByText(String(PEOPLE_COUNT - FULL_MAILBOX_COUNT - 2))
      .waitFor();
    await filter('Failed');
    await log().getByText('The mailbox is full').first().waitFor();
    await log()
      .getByText(/^person/)
      .first()
      .waitFor({ state: 'detached' });
    await lookAndTab('sheet-failed');
    await log().getByRole('button', { name: /^full/ }).first().press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/552 5\.2\.2 mailbox full/)
      .waitFor();
    await look('sheet-recipient');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('finds an address, and downloads the shown rows as a file', async () => {
    await page.getByRole('searchbox').or(page.getByLabel('Search by address...')).first().fill('full2');
    await log()
      .getByText(/^full1/)
      .waitFor({ state: 'detached' });
    await log()
      .getByText(/^full2/)
      .waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('full2.');
  });

  it('retries the temporarily failed recipients', async () => {
    const before = sink.total();
    sink.refuse = () => undefined;
    await button(`Retry failed (${FULL_MAILBOX_COUNT})`).click();
    await question()
      .getByText(new RegExp(`, ${FULL_MAILBOX_COUNT} recipients$`))
      .waitFor();
    await look('sheet-retry');
    await question().getByRole('button', { name: 'Try again' }).click();
    await question().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Retry failed/ }).waitFor({ state: 'detached' });
    await outcome('Sent')
      .getByText(String(PEOPLE_COUNT - 2))
      .waitFor();
    expect(sink.total() - before).toBe(FULL_MAILBOX_COUNT);
  });

  it('pages by keyboard, to the last page and back', async () => {
    // Removes the filters from the URL, so that the whole log is shown.
    await page.goto(page.url().split('?')[0]!);
    await log().getByRole('combobox', { name: 'Rows on a page' }).click();
    await page.getByRole('option', { name: '100 rows' }).click();
    await log().getByText(`1–100 of ${PEOPLE_COUNT}`, { exact: true }).waitFor();
    await log().getByRole('button', { name: 'Next page' }).press('Enter');
    await log().getByText(`101–200 of ${PEOPLE_COUNT}`, { exact: true }).waitFor();
    const hasFocus = (name: string) =>
      page.waitForFunction((label) => document.activeElement?.getAttribute('aria-label') === label, name);
    await hasFocus('Next page');
    await page.keyboard.press('Enter');
    await log().getByText(`201–${PEOPLE_COUNT} of ${PEOPLE_COUNT}`, { exact: true }).waitFor();
    await hasFocus('Previous page');
    await page.keyboard.press('Enter');
    await log().getByText(`101–200 of ${PEOPLE_COUNT}`, { exact: true }).waitFor();
  });

  it('causes no script error and no request to another host', () => {
    expect(faults).toEqual([]);
  });
});
