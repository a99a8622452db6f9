import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn } from '../kit/accounts.ts';
import { Api } from '../kit/api.ts';
import { answerWelcome } from '../kit/browser.ts';
import { look } from '../kit/look.ts';
import type { Product } from '../kit/product.ts';
import { seedContacts, sql } from '../kit/seed.ts';
import { openSink, type Sink } from '../kit/sink.ts';
import { openOwnStage, type Stage } from '../kit/stage.ts';

const OWNER = 'olga.petrov@agency.example';
const SUBJECT = 'Senior Java developer with Spring and Kafka, Dallas, 12 months, hybrid';

let stage: Stage;
let product: Product;
let sink: Sink;
let page: Page;
let api: Api;

beforeAll(async () => {
  sink = await openSink();
  stage = await openOwnStage({ env: { SMTP_URL: sink.url } });
  ({ product, page } = stage);
  api = await Api.register(product.url, OWNER);
  await sql(product, `update auth_credentials set is_verified = true, verified_at = now()`);
});
afterAll(async () => {
  await stage?.close();
  await sink?.close();
});

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const bell = (name: string | RegExp) => page.getByRole('button', { name });

describe('the bell', () => {
  it('reports a long send on any screen, and links to it', async () => {
    const list = await api.call<{ id: string; slug: string }>('POST', '/api/email-lists', { name: 'Java vendors' });
    await seedContacts(product, list.slug, [{ email: 'maya@vendor.example' }, { email: 'li@vendor.example' }]);
    await api.call('PUT', '/api/notification-settings', {
      summaryHour: 8,
      kinds: [{ kind: 'send.finished', inApp: true, mail: 'now' }],
    });
    await signIn(page, product, OWNER);
    await answerWelcome(page);
    await heading('Dashboard');
    await bell('Notifications').click();
    await page.getByText('You are all caught up.').waitFor();
    await look(page, 'bell-empty');
    await page.keyboard.press('Escape');
    sink.hold();
    const { id } = await api.call<{ id: string }>('POST', '/api/send-email', {
      emailListIds: [list.id],
      subject: SUBJECT,
      content: 'Hello',
      emailType: 'job-post',
    });
    await page.goto(`${product.url}/history/${id}`);
    await heading(SUBJECT);
    await page.getByRole('link', { name: 'Email Lists' }).click();
    await heading('Email Lists');
    sink.release();
    await bell('Notifications, 1 unread').waitFor();
    // The mail is awaited first, because a notification that is read before the next round of mails is not mailed.
    await sink.linkTo(OWNER, '/mail-settings/');
    await bell('Notifications, 1 unread').click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByText('Send finished: 2 of 2 delivered').waitFor();
    expect(await page.title()).toContain('(1) ');
    await look(page, 'bell-open');
    await panel.getByRole('link', { name: /Send finished: 2 of 2 delivered/ }).click();
    await heading(SUBJECT);
    await bell(/^Notifications$/).waitFor();
  });

  it('links to all notifications, and to the settings', async () => {
    await sql(
      product,
      `insert into notifications (user_id, kind, group_key, params, updated_at)
       select u.id, 'import.finished', 'seed' || i, jsonb_build_object('importId', u.id, 'isDirect', true, 'listId', u.id, 'listName', 'Healthcare staffing agencies and their subcontractors (Texas)', 'added', 812 + i, 'refused', 14), now() - i * interval '5 hours'
       from users u, generate_series(1, 60) i`,
    );
    await bell('Notifications, 60 unread').click();
    await page.getByRole('link', { name: 'See all' }).click();
    await heading('Notifications');
    // Restricted to the main part, because the bell's panel shows the same notification and may still be closing.
    await page.getByRole('main').getByText('Import finished: 813 added, 14 refused').waitFor();
    await look(page, 'notifications');
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await bell(/^Notifications$/).waitFor();
    await page.goto(`${product.url}/settings#notifications`);
    await page.getByRole('listitem', { name: 'A send has finished' }).waitFor();
    await look(page, 'settings-notifications');
  });

  it('sends mails, whose link turns them off by a button only', async () => {
    await page.goto(await sink.linkTo(OWNER, '/mail-settings/'));
    await heading('Change what we mail you');
    await look(page, 'mail-settings');
    await page.getByRole('button', { name: 'Stop these mails' }).click();
    await heading('These mails have stopped');
    await page.goto(`${product.url}/settings#notifications`);
    const row = page.getByRole('listitem', { name: 'A send has finished' });
    await row.getByText('Never').waitFor();
    expect(stage.faults).toEqual([]);
  });
});
