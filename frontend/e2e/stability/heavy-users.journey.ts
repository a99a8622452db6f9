import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import { answerWelcome, findings, settled } from '../kit/browser.ts';
import { keyboardFindings } from '../kit/keyboard.ts';
import { look as lookAt } from '../kit/look.ts';
import type { Product } from '../kit/product.ts';
import { seedMonth, sql } from '../kit/seed.ts';
import { openStage, type Stage } from '../kit/stage.ts';

const NEW = 'nora.quill@heavy.example';
const BUSY = 'dana.okafor@heavy.example';
const LIST = 'Healthcare staffing agencies and their subcontractors (Texas)';

let stage: Stage;
let product: Product;
let page: Page;
let faults: string[];

beforeAll(async () => {
  stage = await openStage();
  ({ product, page, faults } = stage);
  await verified(product, NEW);
  await verified(product, BUSY);
  await seedMonth(product, BUSY);
  await sql(
    product,
    `update subscriptions set suppressed = 'bounced' from email_lists l join users u on u.id = l.owner_id
     where l.id = email_list_id and u.email = $1 and unsubscribe_token like '%7' and suppressed is null`,
    [BUSY],
  );
});

afterAll(() => stage?.close());

const look = (name: string) => lookAt(page, name);

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const palette = () => page.getByRole('dialog', { name: 'Search and commands' });

describe('a new account', () => {
  it('sees its first steps, and dismisses them', async () => {
    const { page: other } = await stage.device();
    await signIn(other, product, NEW);
    await answerWelcome(other);
    const steps = other.getByRole('region', { name: 'First steps' });
    await steps.getByText('1 of 5 done').waitFor();
    expect(await findings(other, 'first-steps')).toEqual([]);
    await steps.getByRole('link', { name: 'Create a list' }).click();
    const dialog = other.getByRole('dialog', { name: 'Create a list' });
    await dialog.getByLabel('Name', { exact: true }).fill('My first list');
    await dialog.getByRole('button', { name: 'Create List' }).click();
    await dialog.waitFor({ state: 'detached' });
    await other.getByRole('link', { name: 'Dashboard' }).first().click();
    await steps.getByText('2 of 5 done').waitFor();
    await steps.getByRole('button', { name: 'Hide these steps' }).click();
    await steps.waitFor({ state: 'detached' });
    await other.reload();
    await other.getByRole('region', { name: 'Statistics' }).waitFor();
    await settled(other);
    expect(await steps.count()).toBe(0);
    await other.close();
  });
});

describe('a user who has the app open all day', () => {
  it('navigates by single keys and by the command palette', async () => {
    await signIn(page, product, BUSY);
    await answerWelcome(page);
    await heading('Dashboard');
    await look('dashboard-busy');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.waitFor();
    await look('shortcuts');
    await help.getByRole('button', { name: 'Close' }).click();
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await heading('Send History');
    await page.keyboard.press('Control+k');
    await palette().getByRole('combobox').fill('person1@');
    await palette().getByText('person1@vendor1.example').waitFor();
    await look('palette');
    expect(await keyboardFindings(page, 'palette')).toEqual([]);
    await palette().getByRole('combobox').fill('healthcare');
    await palette()
      .getByRole('option', { name: new RegExp(LIST.slice(0, 20)) })
      .waitFor();
    await page.keyboard.press('Enter');
    await heading(LIST);
  });

  it('sees how a list grew, deletes it there and restores it from another screen', async () => {
    await page
      .getByRole('region', { name: 'Figures' })
      .getByText(/^Last 8 weeks: /)
      .waitFor();
    await settled(page);
    await look('list-figures');
    await page.getByRole('button', { name: `Actions for ${LIST}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete list' }).click();
    await page.waitForURL(`${product.url}/lists`);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.screenshot({ path: `${process.env.E2E_PICTURES ?? product.dataDir}/undo-1440.png` });
    expect(await page.getByRole('link', { name: LIST }).count()).toBe(0);
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await heading('Settings');
    await page.locator('#toasts').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('List Restored!').first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.getByRole('link', { name: LIST }).waitFor();
  });

  it('filters the history, shares the address, and comes to it from the charts', async () => {
    await page.goto(`${product.url}/history?from=2026-01-01&status=sent&sort=-recipients`);
    await page.getByRole('link', { name: 'Clear filters' }).waitFor();
    await look('history-filtered');
    await page.goto(`${product.url}/dashboard`);
    await page.getByRole('link', { name: 'See these sends' }).click();
    await page.waitForURL(/\/history\?from=\d{4}-\d\d-\d\d$/);
    expect(await keyboardFindings(page, 'history')).toEqual([]);
  });

  it('adds contacts one after the other', async () => {
    await page.goto(`${product.url}/lists`);
    await page.getByRole('link', { name: LIST }).click();
    await page.getByRole('button', { name: 'Add Contact', exact: true }).click();
    const dialog = page.getByRole('dialog');
    for (const name of ['ada', 'bea']) {
      await dialog.getByLabel('Email', { exact: true }).fill(`${name}@heavy.example`);
      await dialog.getByRole('button', { name: 'Save and add another' }).click();
      await page.getByText(`${name}@heavy.example is Pending until they confirm by email.`).waitFor();
    }
    await look('add-another');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('causes no script error', () => expect(faults).toEqual([]));
});
