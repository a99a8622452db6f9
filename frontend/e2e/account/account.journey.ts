import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn } from '../kit/accounts.ts';
import { settled } from '../kit/browser.ts';
import { linkIn, mailTo } from '../kit/mailbox.ts';
import { lookWithKeyboard } from '../kit/look.ts';
import type { Product } from '../kit/product.ts';
import { seedMonth } from '../kit/seed.ts';
import { openStage, type Stage } from '../kit/stage.ts';
import { until } from '../kit/until.ts';

const PERSON = 'dana.okafor@account.example';
const PASSWORDS = ['a long enough secret', 'another long secret', 'a third long secret'] as const;

let stage: Stage;
let product: Product;
let page: Page;
let faults: string[];

beforeAll(async () => {
  stage = await openStage();
  ({ product, page, faults } = stage);
});

afterAll(() => stage?.close());

const look = (name: string) => lookWithKeyboard(page, name);

const open = async (path: string, name: string | RegExp) => {
  await page.goto(`${product.url}${path}`);
  await page.getByRole('heading', { level: 1, name }).waitFor();
};
const section = (name: string) => page.getByRole('region', { name, exact: true });
const toast = (text: string) => page.locator('#toasts').getByText(text).first().waitFor();

describe('an account', () => {
  it('is welcomed once and asked for its role', async () => {
    await page.goto(`${product.url}/register`);
    for (const [label, value] of [
      ['First name', 'Dana'],
      ['Last name', 'Okafor'],
      ['Email', PERSON],
      ['Password', PASSWORDS[0]],
      ['Confirm password', PASSWORDS[0]],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(value);
    }
    await page.getByRole('radio', { name: /Recruiter/ }).check();
    await page.getByRole('button', { name: 'Create account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Welcome to Staffcast' });
    await dialog.waitFor();
    expect(await dialog.getByRole('radio', { name: /Recruiter/ }).isChecked()).toBe(true);
    await look('welcome');
    await dialog.getByRole('radio', { name: /Bench Sales/ }).check();
    await dialog.getByRole('button', { name: 'Save role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('complementary', { name: 'Sidebar' }).getByText('Bench Sales').waitFor();
    await open(`/check-email?email=${encodeURIComponent(PERSON)}`, 'Check Your Email');
    await page.getByText(PERSON).first().waitFor();
    await look('check-email');
    await open('/dashboard', 'Dashboard');
    await settled(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await look('dashboard-new');
  });

  it('may send only the type of its role', async () => {
    await open('/send', 'Send Email');
    await page.getByText('Not with the role Bench Sales. You can change it in Settings.').waitFor();
    expect(await page.getByRole('radio', { name: /Job Post/ }).isDisabled()).toBe(true);
    await look('send-role');
  });

  it('sees its month of Pro on the dashboard', async () => {
    await seedMonth(product, PERSON);
    await open('/dashboard', 'Dashboard');
    await section('Statistics').getByText('on 3 lists').waitFor();
    await section('Sends and deliveries')
      .getByText(/sends in the last 30 days/)
      .first()
      .waitFor();
    await section('Recent activity').getByText('Email sent').first().waitFor();
    await look('dashboard');
  });

  it('changes its profile, picture and time zone', async () => {
    await open('/settings', 'Settings');
    const profile = section('Profile');
    await profile.getByLabel('First name').fill('Danuta');
    await profile.getByLabel(/Agency name/).fill('Northline Staffing');
    await profile.getByLabel('Time zone').fill('New York');
    await page.getByRole('option', { name: 'America/New York' }).click();
    await profile.getByRole('button', { name: 'Save changes' }).click();
    await toast('Profile Updated!');
    await page.getByRole('complementary', { name: 'Sidebar' }).getByText('Danuta Okafor').waitFor();
    await profile
      .getByLabel('Profile picture')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await page.screenshot() });
    await toast('Your picture is saved.');
    const shown = page.getByRole('complementary', { name: 'Sidebar' }).getByRole('img', { name: 'Danuta Okafor' });
    await until('the picture', () => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth === 256));
    await page.reload();
    await until(
      'the time zone that was chosen',
      async () => (await section('Profile').getByLabel('Time zone').inputValue()) === 'America/New York',
    );
    await section('Devices').getByText('This device').waitFor();
    await section('Security events').getByText('Profile picture changed').waitFor();
    await look('settings');
  });

  it('signs out another device, at once', async () => {
    const other = await stage.device();
    await signIn(other.page, product, PERSON, PASSWORDS[0]);
    await other.page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.reload();
    const devices = section('Devices');
    // Excludes the button 'Sign out all other devices'.
    await devices
      .getByRole('listitem')
      .getByRole('button', { name: /^Sign out / })
      .click();
    await toast('Device signed out');
    await other.page.goto(`${product.url}/lists`);
    await other.page.waitForURL(/\/login\?next=/);
    expect(other.faults).toEqual([]);
    await other.page.context().close();
  });

  it('changes its password', async () => {
    const form = section('Password');
    await form.getByLabel('Current password').fill('not this one');
    await form.getByLabel('New password').fill(PASSWORDS[1]);
    await form.getByLabel('Confirm password').fill(PASSWORDS[1]);
    await form.getByRole('button', { name: 'Change password' }).click();
    await form.getByText('Your current password is not right').waitFor();
    await form.getByLabel('Current password').fill(PASSWORDS[0]);
    await form.getByRole('button', { name: 'Change password' }).click();
    await toast('Password changed');
  });

  it('sets a forgotten password by the mailed link', async () => {
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor();
    await look('forgot-password');
    await page.getByLabel('Email', { exact: true }).fill(PERSON);
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByRole('heading', { level: 1, name: 'Check Your Email' }).waitFor();
    await look('forgot-password-sent');
    const link = await resetLink();
    await page.goto(link);
    await page.getByLabel('New password').fill(PASSWORDS[2]);
    await page.getByLabel('Confirm password').fill(PASSWORDS[2]);
    await look('reset-password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.waitForURL(`${product.url}/login`);
    await page.goto(link);
    await page.getByLabel('New password').fill(PASSWORDS[0]);
    await page.getByLabel('Confirm password').fill(PASSWORDS[0]);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('link', { name: 'Request a new link' }).waitFor();
    await look('reset-password-used');
    await signIn(page, product, PERSON, PASSWORDS[1]);
    await toast('Login failed');
    await signIn(page, product, PERSON, PASSWORDS[2]);
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  });

  it('is deleted after its password was entered, and cannot sign in again', async () => {
    await open('/settings', 'Settings');
    await section('Delete account').getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete account?' });
    await dialog.getByText(new RegExp(`The account ${PERSON} with 3 lists and [0-9,]+ contacts`)).waitFor();
    await dialog.getByLabel('Your password').fill(PASSWORDS[2]);
    await look('delete-account');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL(`${product.url}/login`);
    await signIn(page, product, PERSON, PASSWORDS[2]);
    await toast('Invalid email or password');
  });

  it('causes no script error and no request to another host', () => {
    expect(faults).toEqual([]);
  });
});

/**
 * Selects the reset mail. The mailbox also contains the verification mail and the notice about the changed password.
 */
async function resetLink(): Promise<string> {
  return linkIn(
    await mailTo(product.mailboxUrl, PERSON, (mail) => mail.text.includes('/reset-password?token=')),
    '/reset-password',
  );
}
