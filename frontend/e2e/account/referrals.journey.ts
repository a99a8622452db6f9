import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { answerWelcome, openBrowser, openPage } from '../kit/browser.ts';
import { lookWithKeyboard as look } from '../kit/look.ts';
import { linkIn, mailsTo } from '../kit/mailbox.ts';
import type { Product } from '../kit/product.ts';
import { sharedProduct } from '../kit/shared-product.ts';

const INVITER = 'dana.okafor@referrals.example';
const INVITEE = 'marco.rossi-lindqvist@international-staffing-partners.referrals.example';

let product: Product;
let browser: Browser;
/** Pages of the inviter and of the invited person. */
let page: Page;
let guest: Page;
const faults: string[] = [];

beforeAll(async () => {
  product = await sharedProduct();
  browser = await openBrowser();
  const open = async () => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const opened = await openPage(context, [product.url]);
    opened.page.on('close', () => faults.push(...opened.faults));
    return opened.page;
  };
  page = await open();
  guest = await open();
});

afterAll(async () => {
  await browser?.close();
});

async function fillRegistration(on: Page, firstName: string, lastName: string, email: string): Promise<void> {
  await on.getByLabel('First name').fill(firstName);
  await on.getByLabel('Last name').fill(lastName);
  await on.getByLabel('Email', { exact: true }).fill(email);
  await on.getByRole('radio', { name: /Recruiter/ }).check();
  await on.getByLabel('Password', { exact: true }).fill('a long enough secret');
  await on.getByLabel('Confirm password').fill('a long enough secret');
}

async function createAccount(on: Page): Promise<void> {
  await on.getByRole('button', { name: 'Create account' }).click();
  await on.waitForURL(/\/dashboard$/);
  await answerWelcome(on);
}

/** Waits until a statistic shows this value. */
const figure = (label: string, value: string) =>
  page
    .locator('dl > div', { hasText: label })
    .locator('dd > span')
    .first()
    .filter({ hasText: new RegExp(`^${value}$`) })
    .waitFor();

describe('referrals', () => {
  it('start with a link and no invites', async () => {
    await page.goto(`${product.url}/register`);
    await fillRegistration(page, 'Dana', 'Okafor', INVITER);
    await createAccount(page);
    await page.goto(linkIn((await mailsTo(product.mailboxUrl, INVITER))[0]!, '/verify-email'));
    await page.waitForURL(`${product.url}/`);
    await page.getByRole('link', { name: 'Referrals' }).click();
    await page.getByRole('heading', { level: 1, name: 'Referrals' }).waitFor();
    await page.getByText('No invites yet').waitFor();
    await figure('Total Invites', '0');
    await look(page, 'referrals-empty');
    await page.getByRole('button', { name: 'Copy Link' }).click();
    await page.getByText('Copied!').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      new RegExp(`^${product.url}/invite/[A-Z2-9]{10}$`),
    );
  });

  it('invite by mail with Enter', async () => {
    await page.getByRole('button', { name: 'Send Invite' }).click();
    await page.getByText('Email Required').waitFor();
    await page.getByLabel("Colleague's email").fill(INVITEE);
    await page.keyboard.press('Enter');
    await page.getByText('Invite Sent!').waitFor();
    await page.getByText('Pending', { exact: true }).waitFor();
    await figure('Total Invites', '1');
    await page.getByLabel("Colleague's email").fill(INVITEE);
    await page.keyboard.press('Enter');
    await page.getByText('Failed to Send Invite').waitFor();
    await page.getByText('This address has been invited within the last 30 days').first().waitFor();
  });

  it('lead from the mailed link to an account, even if the visitor leaves in between', async () => {
    const [mail] = await mailsTo(product.mailboxUrl, INVITEE);
    await guest.goto(linkIn(mail!, '/invite/'));
    await guest.waitForURL(/\/register\?ref=[\w-]{43}$/);
    await guest.getByText("You're signing up with a referral code!").waitFor();
    await guest.getByText('Dana Okafor invited you to Staffcast.').waitFor();
    await look(guest, 'register-invited');
    await guest.goto(product.url);
    await guest.goto(`${product.url}/register`);
    await fillRegistration(guest, 'Marco', 'Rossi-Lindqvist', INVITEE);
    await createAccount(guest);
  });

  it('are counted in the statistics and shown in the list', async () => {
    await page.reload();
    await page.getByText('Accepted', { exact: true }).waitFor();
    await figure('Total Invites', '1');
    await figure('Signups', '1');
    await figure('Paid Conversions', '0');
    for (const name of ['li.wei', 'priya.raman', 'a.very.long.local.part.of.an.address.that.goes.on']) {
      await page.getByLabel("Colleague's email").fill(`${name}@invited.referrals.example`);
      await page.keyboard.press('Enter');
      await page.getByTitle(`${name}@invited.referrals.example`).waitFor();
    }
    await look(page, 'referrals');
  });

  it('are not sent to people who opted out by the button; opening the link changes nothing', async () => {
    const link = linkIn(
      (await mailsTo(product.mailboxUrl, 'priya.raman@invited.referrals.example'))[0]!,
      '/never-ask/',
    );
    const visitor = (
      await openPage(await browser.newContext({ viewport: { width: 1440, height: 900 } }), [product.url])
    ).page;
    await visitor.goto(link);
    await visitor.getByRole('heading', { level: 1, name: 'Never be asked again?' }).waitFor();
    await look(visitor, 'never-ask-invite');
    await visitor.getByRole('button', { name: 'Never ask me again' }).click();
    await visitor.getByText('You will not be asked or invited again.').waitFor();
  });

  it('cause no script error and no request to another host', async () => {
    await page.close();
    await guest.close();
    expect(faults).toEqual([]);
  });
});
