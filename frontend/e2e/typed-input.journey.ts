import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { PASSWORD, signIn, verified } from './kit/accounts.ts';
import type { Api } from './kit/api.ts';
import { answerWelcome } from './kit/browser.ts';
import { linkIn, mailTo } from './kit/mailbox.ts';
import type { Product } from './kit/product.ts';
import { openStage, type Stage } from './kit/stage.ts';
import { until } from './kit/until.ts';

const NEW = 'kim.park@typed.example';
const OWNER = 'olga.petrov@typed.example';

let stage: Stage;
let product: Product;
let page: Page;
let faults: string[];

beforeAll(async () => {
  stage = await openStage();
  ({ product, page, faults } = stage);
});

afterAll(() => stage?.close());

const heading = (name: string | RegExp, on = page) => on.getByRole('heading', { level: 1, name }).waitFor();
const toast = (text: string) => page.locator('#toasts').getByText(text).first().waitFor();

describe('by keyboard alone', () => {
  /** Presses Tab until the focus is on a control. */
  const tabTo = (control: Locator, on = page) =>
    until('the focus', async () => {
      if (await control.evaluate((element) => element === document.activeElement)) return true;
      await on.keyboard.press('Tab');
      return false;
    });

  async function answerByKeyboard(on: Page): Promise<void> {
    const welcome = on.getByRole('dialog', { name: /^Welcome to / });
    await welcome.waitFor();
    await tabTo(welcome.getByRole('button', { name: 'Save role' }), on);
    await on.keyboard.press('Enter');
    await welcome.waitFor({ state: 'detached' });
  }

  it('a visitor can register and open the mailed link', async () => {
    await page.goto(`${product.url}/register`);
    await page.getByLabel('First name').waitFor();
    for (const [label, text] of [
      ['First name', 'Kim'],
      ['Last name', 'Park'],
      ['Email', NEW],
    ] as const) {
      await tabTo(page.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    }
    await tabTo(page.getByRole('radio', { name: /Recruiter/ }));
    await page.keyboard.press('Space');
    for (const label of ['Password', 'Confirm password']) {
      await tabTo(page.getByLabel(label, { exact: true }));
      await page.keyboard.type(PASSWORD);
    }
    await page.keyboard.press('Enter');
    await answerByKeyboard(page);
    await page.getByRole('complementary', { name: 'Email verification' }).waitFor();
    await page.goto(linkIn(await mailTo(product.mailboxUrl, NEW, () => true), '/verify-email'));
    await heading('Dashboard');
    expect(await page.getByRole('complementary', { name: 'Email verification' }).count()).toBe(0);
  });

  it('the user can sign in on another device', async () => {
    const { page: other, faults: of } = await stage.device();
    await other.goto(`${product.url}/login`);
    await tabTo(other.getByLabel('Email', { exact: true }), other);
    await other.keyboard.type(NEW);
    await tabTo(other.getByLabel('Password', { exact: true }), other);
    await other.keyboard.type(PASSWORD);
    await other.keyboard.press('Enter');
    await answerByKeyboard(other);
    await heading('Dashboard', other);
    expect(of).toEqual([]);
    await other.context().close();
  });
});

describe('input that was typed or chosen', () => {
  let api: Api;

  beforeAll(async () => {
    api = await verified(product, OWNER);
    await api.call('POST', '/api/email-lists', { name: 'Java vendors' });
    ({ page, faults } = await stage.device());
    await signIn(page, product, OWNER);
    await answerWelcome(page);
    await heading('Dashboard');
  });

  it('as a CSV file from the file chooser becomes contacts, and the invalid line is named', async () => {
    await page.goto(`${product.url}/lists`);
    await page.getByRole('link', { name: 'Java vendors' }).click();
    await heading('Java vendors');
    await page.getByRole('button', { name: 'Add Contact', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Add contacts' });
    await dialog.getByRole('tab', { name: 'Bulk Import' }).click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Choose a CSV file' }).click(),
    ]);
    await chooser.setFiles({
      name: 'vendors.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'email,name\nada@vendor.typed.example,Ada Diaz\nnobody,Nobody\nbea@vendor.typed.example,"Costa, Bea"\n',
      ),
    });
    await dialog.getByText('vendors.csv').waitFor();
    await dialog.getByRole('button', { name: 'Add Contacts', exact: true }).click();
    const report = page.getByRole('region', { name: 'Import' });
    await report.getByText('2 contacts added, 1 line left out.').waitFor();
    await report.getByRole('listitem').getByText('nobody').waitFor();
    await page.getByRole('row').filter({ hasText: 'Costa, Bea' }).waitFor();
  });

  it('in a dialog is kept without a network, with the reason, and is sent afterwards', async () => {
    await page.goto(`${product.url}/lists?new=list`);
    const dialog = page.getByRole('dialog', { name: 'Create a list' });
    const name = dialog.getByLabel('Name', { exact: true });
    await name.fill('Typed without a network');
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Create List' }).click();
    await dialog.getByText(/The server could not be reached\. Check your connection/).waitFor();
    expect(await name.inputValue()).toBe('Typed without a network');
    await page.context().setOffline(false);
    await dialog.getByRole('button', { name: 'Create List' }).click();
    await toast('List Created!');
    await dialog.waitFor({ state: 'detached' });
  });

  it('in a dialog is restored after the session was ended elsewhere', async () => {
    await page.goto(`${product.url}/lists?new=list`);
    const dialog = page.getByRole('dialog', { name: 'Create a list' });
    const name = dialog.getByLabel('Name', { exact: true });
    await name.fill('Typed before the session ended');
    await api.call('DELETE', '/api/auth/sessions');
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await ended.getByRole('button', { name: 'Sign in' }).click();
    await ended.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Typed before the session ended');
    await dialog.getByRole('button', { name: 'Create List' }).click();
    await page.getByRole('link', { name: 'Typed before the session ended' }).waitFor();
  });

  describe('in the wizard', () => {
    const subject = () => page.getByLabel('Subject line');
    const saved = () => page.getByText(/^Saved \d/).waitFor();
    const notSaved = () => page.getByRole('status').getByText('Not saved. Your text is kept on this device').waitFor();
    const draftId = () => new URL(page.url()).pathname.split('/').at(-1)!;
    const stored = async () => (await api.call<{ subject: string }>('GET', `/api/drafts/${draftId()}`)).subject;

    it('is kept without a network and is saved once there is one', async () => {
      await page.goto(`${product.url}/send`);
      await page.getByRole('checkbox', { name: /Java vendors/ }).check();
      await page.getByRole('button', { name: 'Next' }).click();
      await subject().fill('Written');
      await saved();
      await page.context().setOffline(true);
      await subject().fill('Written without a network');
      await notSaved();
      expect(await subject().inputValue()).toBe('Written without a network');
      await page.context().setOffline(false);
      await saved();
      expect(await stored()).toBe('Written without a network');
    });

    it('is kept while the server answers 503, also over a reload', async () => {
      const drafts = '**/api/drafts/*';
      await page.route(drafts, (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 503, json: { statusCode: 503, code: 'unavailable', message: 'Busy' } })
          : route.fallback(),
      );
      await subject().fill('Written while the server was busy');
      await notSaved();
      await page.reload();
      expect(await subject().inputValue()).toBe('Written while the server was busy');
      await page.unroute(drafts);
      await saved();
      expect(await stored()).toBe('Written while the server was busy');
    });

    it('is restored after a sign-out elsewhere and a new sign-in', async () => {
      await subject().fill('Written before the session ended');
      await api.call('DELETE', '/api/auth/sessions');
      await page.waitForURL(/\/login\?next=/);
      await page.getByLabel('Email', { exact: true }).fill(OWNER);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign In' }).click();
      await subject().waitFor();
      expect(await subject().inputValue()).toBe('Written before the session ended');
      await saved();
      expect(await stored()).toBe('Written before the session ended');
    });
  });

  it('causes no script error and no request to another host', () => {
    expect(faults).toEqual([]);
  });
});
