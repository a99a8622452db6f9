import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PASSWORD, signIn, verified } from './kit/accounts.ts';
import { Api } from './kit/api.ts';
import { answerWelcome, findings, settled, VIEWPORTS } from './kit/browser.ts';
import { mailTo } from './kit/mailbox.ts';
import { lookWithKeyboard } from './kit/look.ts';
import type { Product } from './kit/product.ts';
import { seedMonth, sql } from './kit/seed.ts';
import { openOwnStage, type Stage } from './kit/stage.ts';
import { until } from './kit/until.ts';

const ADMIN = 'ops.lead@staffcast.example';
const SENDER = 'marco.rossi-lindqvist@international-staffing-partners.example';
const NEWCOMER = 'new.person@agency.example';

let stage: Stage;
let product: Product;
let page: Page;
let faults: string[];
let sender: Api;

beforeAll(async () => {
  stage = await openOwnStage({ env: { SMTP_PASSWORD_SPARE: 'the secret of the spare account' } });
  ({ product, page, faults } = stage);
  await verified(product, ADMIN);
  await sql(product, `update users set is_admin = true where email = $1`, [ADMIN]);
  sender = await verified(product, SENDER);
  await seedMonth(product, SENDER);
  // Two complaints in 1,000 mails, which sets the flag `watch`.
  await sql(
    product,
    `update email_delivery_logs d set status = 'complained' from users u where u.id = d.user_id and u.email = $1 and d.status = 'sent'
       and d.id in (select id from email_delivery_logs where status = 'sent' limit 6)`,
    [SENDER],
  );
  await Api.register(product.url, NEWCOMER);
});

afterAll(() => stage?.close());

async function enter(email: string): Promise<void> {
  await signIn(page, product, email);
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  await answerWelcome(page);
}

const look = (name: string) => lookWithKeyboard(page, name);

const open = async (path: string, heading: string) => {
  await page.goto(`${product.url}${path}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
};
const toast = (text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true }).first().waitFor();
const agree = async (button: string, reason?: string) => {
  const dialog = page.getByRole('alertdialog');
  if (reason) await dialog.getByRole('textbox', { name: 'Reason (optional)' }).fill(reason);
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
};

describe('the admin', () => {
  it('sees the admin screen; everybody else is led to the dashboard', async () => {
    await enter(SENDER);
    await page.goto(`${product.url}/admin`);
    await page.waitForURL(/\/dashboard$/);
    await page.goto(`${product.url}/admin/operations?tab=activity`);
    await page.waitForURL(/\/dashboard$/);
    expect((await page.request.get(`${product.url}/api/admin/users`)).status()).toBe(403);
    await page.context().clearCookies();
    await enter(ADMIN);
    await page.getByRole('link', { name: 'Admin' }).click();
    await page.getByRole('heading', { level: 1, name: 'Admin' }).waitFor();
    for (const name of [/Pending Verifications/, /^Users$/, /Subscriptions/, /^Default List$/])
      await page.getByRole('tab', { name }).waitFor();
  });

  it('verifies a person', async () => {
    await page.getByRole('button', { name: `Verify ${NEWCOMER}` }).waitFor();
    await look('admin-pending');
    await page.getByRole('button', { name: `Verify ${NEWCOMER}` }).click();
    await agree('Verify', 'Known by phone');
    await toast('User Verified');
    await page.getByText('Nobody is waiting for verification').waitFor();
  });

  it('finds a user, sets a limit, suspends and reinstates', async () => {
    await page.getByRole('tab', { name: 'Users' }).click();
    await page.getByRole('searchbox', { name: 'Search users...' }).fill('rossi');
    await page.getByRole('button', { name: `Open ${ADMIN}` }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Open ${SENDER}` }).waitFor();
    await look('admin-users');
    await page.getByRole('button', { name: `Open ${SENDER}` }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText(/3 lists, 1,1\d\d contacts/).waitFor();
    await sheet.getByRole('heading', { name: 'Sends' }).waitFor();
    await look('admin-user-sheet');
    await sheet.getByRole('textbox', { name: 'Custom daily limit' }).fill('25');
    await sheet.getByRole('button', { name: 'Set limit' }).click();
    await toast('User Updated');
    await sheet.getByText('25 sends a day, set by an admin').waitFor();
    await sheet.getByRole('button', { name: 'Suspend' }).click();
    await page
      .getByRole('alertdialog')
      .getByText(/its queued mail stops/)
      .waitFor();
    await look('admin-suspend');
    await agree('Suspend', 'Complaints');
    await sheet.getByRole('button', { name: 'Reinstate' }).waitFor();
    await expect(sender.call('GET', '/api/email-lists')).rejects.toThrow('401');
    await sheet.getByRole('button', { name: 'Reinstate' }).click();
    await agree('Reinstate');
    await sheet.getByRole('button', { name: 'Suspend' }).waitFor();
    await sheet
      .getByText(/Account suspended/)
      .first()
      .waitFor();
    await sheet.getByRole('button', { name: 'Close' }).click();
    sender = await Api.signIn(product.url, SENDER);
  });

  it('confirms contacts one by one, and attested imports whole', async () => {
    const [list] = await sender.call<{ id: string; name: string }[]>('GET', '/api/email-lists');
    const { id } = await sender.call<{ id: string }>('POST', `/api/email-lists/${list!.id}/subscribers/import`, {
      lines: Array.from({ length: 120 }, (_, i) => `client${i}@hiring-managers.example, Client ${i}`),
      attestation:
        'Hiring managers we have placed people with since 2023. Each signed our frame contract, which names candidate lists by mail.',
    });
    await until(
      'the import',
      async () =>
        (await sender.call<{ status: string }>('GET', `/api/email-lists/${list!.id}/subscribers/import/${id}`))
          .status === 'done',
    );
    await page.getByRole('tab', { name: /Subscriptions/ }).click();
    const confirmAll = page.getByRole('article').getByRole('button', { name: /^Confirm all/ });
    await confirmAll.waitFor();
    expect(await confirmAll.isEnabled()).toBe(true);
    await look('admin-subscriptions');
    await confirmAll.click();
    await page
      .getByRole('alertdialog')
      .getByText(/Confirm 120 contacts/)
      .waitFor();
    await agree('Confirm all', 'Contract seen');
    await toast('Import Confirmed');
    await page.getByRole('searchbox', { name: 'Search contacts...' }).fill('client7@');
    await page.getByRole('button', { name: 'Unconfirm client7@hiring-managers.example', exact: true }).click();
    await agree('Set to Pending');
    await toast('Contact Set to Pending');
    await page.getByRole('button', { name: 'Confirm client7@hiring-managers.example', exact: true }).click();
    await agree('Confirm');
    await toast('Contact Confirmed');
  });

  it('shows every contact whole on a phone that was turned, or had the tab open from the start', async () => {
    const phone = VIEWPORTS[1]!;
    await page.getByRole('searchbox', { name: 'Search contacts...' }).fill('');
    const rows = page.getByRole('grid', { name: 'contacts of all lists' }).getByRole('row');
    const withoutCells = () =>
      rows.evaluateAll((all) => all.filter((row) => !row.querySelector('[role=gridcell], [role=columnheader]')).length);
    for (let turns = 0; turns < 5; turns += 1) {
      // Wide enough for the layout with all columns, but too narrow to show them without scrolling.
      await page.setViewportSize({ width: 800, height: 390 });
      await settled(page);
      await page
        .locator('.MuiDataGrid-virtualScroller')
        .evaluate((scroller) => scroller.scrollTo(scroller.scrollWidth, 0));
      await page.setViewportSize(phone);
      await settled(page);
      expect(await rows.count()).toBe(26);
      expect(await withoutCells()).toBe(0);
    }
    expect(await findings(page, 'admin-subscriptions-turned', [phone])).toEqual([]);
    await page.setViewportSize(phone);
    await page.reload();
    await rows.nth(25).waitFor();
    expect(await findings(page, 'admin-subscriptions-phone', [phone])).toEqual([]);
    expect(await withoutCells()).toBe(0);
  });

  it('edits the default list', async () => {
    await page.getByRole('tab', { name: 'Default List' }).click();
    await page.getByRole('button', { name: 'Add Contact', exact: true }).first().click();
    const adding = page.getByRole('dialog');
    await adding.getByRole('textbox', { name: 'Email' }).fill('visitor@vendor.example');
    await adding.getByRole('button', { name: 'Add Contact', exact: true }).click();
    await toast('Contact Added!');
    await adding.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete visitor@vendor.example' }).waitFor();
    await look('admin-default-list');
    await page.getByRole('button', { name: 'Delete visitor@vendor.example' }).click();
    await agree('Remove');
    await toast('Contact Removed');
    await page.getByRole('button', { name: 'Delete visitor@vendor.example' }).waitFor({ state: 'detached' });
  });

  it('sees all sends, and the senders', async () => {
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor();
    await page.getByRole('combobox', { name: 'Day' }).click();
    await page.getByRole('option', { name: 'All days' }).click();
    await page.getByText('Available this week: three Java leads').first().waitFor();
    await look('operations-sends');
    await page.getByRole('tab', { name: /Senders/ }).click();
    await page.getByRole('button', { name: `Open ${SENDER}` }).waitFor();
    await look('operations-senders');
  });

  it('suppresses an address and lifts the suppression', async () => {
    await page.getByRole('tab', { name: 'Suppressions' }).click();
    await page.getByRole('button', { name: 'Suppress Address' }).click();
    const dialog = page.getByRole('dialog', { name: 'Suppress an address' });
    await dialog.getByRole('textbox', { name: 'Email' }).fill('leave.me@vendor.example');
    await dialog.getByRole('textbox', { name: /Reason/ }).fill('Asked by phone');
    await look('operations-suppress-dialog');
    await dialog.getByRole('button', { name: 'Suppress', exact: true }).click();
    await toast('Address Suppressed');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Lift leave.me@vendor.example' }).waitFor();
    await look('operations-suppressions');
    await page.getByRole('button', { name: 'Lift leave.me@vendor.example' }).click();
    await agree('Lift');
    await toast('Suppression Lifted');
  });

  it('tests a mail account, adds one and removes it', async () => {
    await page.getByRole('tab', { name: 'Mail accounts' }).click();
    await page.getByRole('button', { name: 'Send test mail' }).click();
    const dialog = page.getByRole('dialog', { name: /^Test mail by/ });
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('Test Mail Accepted').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await look('operations-accounts');
    await page.getByRole('button', { name: 'Edit smtp' }).click();
    const editing = page.getByRole('dialog', { name: 'Edit "smtp"' });
    await editing.getByRole('textbox', { name: 'Messages a second' }).fill('500');
    await editing.getByRole('button', { name: 'Save changes' }).click();
    await toast('Mail Account Updated');
    await page.getByRole('article', { name: 'Mail account smtp' }).getByText('500 messages a second').waitFor();
    await page.getByRole('button', { name: 'Add Account' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a mail account' });
    await adding.getByRole('textbox', { name: 'Name' }).fill('spare');
    await adding.getByRole('combobox', { name: 'Secret' }).click();
    await page.getByRole('option', { name: /^SMTP_PASSWORD_SPARE/ }).click();
    await adding.getByRole('button', { name: 'Add account' }).click();
    await adding.getByText('Host is required: the secret is a password only').waitFor();
    await look('operations-account-dialog');
    await adding.getByRole('textbox', { name: 'Host' }).fill('smtp.spare.example');
    await adding.getByLabel('Your password').fill(PASSWORD);
    await adding.getByRole('button', { name: 'Add account' }).click();
    await toast('Mail Account Added');
    const spare = page.getByRole('article', { name: 'Mail account spare' });
    await spare.getByText('smtp.spare.example').waitFor();
    await spare.getByRole('button', { name: 'Actions for spare' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await agree('Remove', 'Only tried');
    await toast('Mail Account Removed');
    await spare.waitFor({ state: 'detached' });
    await mailTo(product.mailboxUrl, ADMIN, ({ subject }) => subject.startsWith('Test mail'));
  });

  it('reads the activity log, and opens the queue dashboard', async () => {
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByText('Suppression lifted by an admin').first().waitFor();
    await page.getByRole('combobox', { name: 'What' }).click();
    await page.getByRole('option', { name: 'Suspended', exact: true }).click();
    await page.getByText('Suppression lifted by an admin').first().waitFor({ state: 'detached' });
    await page.getByText('Complaints').first().waitFor();
    await look('operations-activity');
    await open('/admin/operations', 'Operations');
    expect(await page.getByRole('link', { name: 'Queues' }).getAttribute('href')).toBe('/api/admin/queues');
    expect(faults).toEqual([]);
    await page.goto(`${product.url}/api/admin/queues`);
    await page.getByText('deliveries').first().waitFor();
    expect(faults.filter((fault) => !fault.includes('fonts.googleapis.com'))).toEqual([]);
  });
});
