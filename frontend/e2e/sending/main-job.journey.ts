import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { answerWelcome } from '../kit/browser.ts';
import { linkIn, mailsTo } from '../kit/mailbox.ts';
import { look as lookAt } from '../kit/look.ts';
import type { Product } from '../kit/product.ts';
import { openStage, type Stage } from '../kit/stage.ts';

const SENDER = 'dana.okafor@main-job.example';
const PEOPLE = ['priya@vendor.main-job.example', 'marco@vendor.main-job.example', 'li@vendor.main-job.example'];
const SUBJECT = 'Java developer, Dallas, 12 months';

let stage: Stage;
let product: Product;
let page: Page;
let faults: string[];

beforeAll(async () => {
  stage = await openStage();
  ({ product, page, faults } = stage);
});

afterAll(() => stage?.close());

const look = (name: string) => lookAt(page, name);

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

describe('the main path of a recruiter', () => {
  it('registers, and verifies the address by the mailed link', async () => {
    await page.goto(product.url);
    await look('landing');
    await page.goto(`${product.url}/register`);
    await page.getByLabel('First name').fill('Dana');
    await page.getByLabel('Last name').fill('Okafor');
    await page.getByLabel('Email', { exact: true }).fill(SENDER);
    await page.getByRole('radio', { name: /Recruiter/ }).check();
    await page.getByLabel('Password', { exact: true }).fill('a long enough secret');
    await page.getByLabel('Confirm password').fill('a long enough secret');
    await look('register');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(/\/(dashboard)?$/);
    await answerWelcome(page);
    await look('dashboard-unverified');
    const [mail] = await mailsTo(product.mailboxUrl, SENDER);
    await page.goto(linkIn(mail!, '/verify-email'));
    await page.getByText('Email verified successfully! You are now logged in.').first().waitFor();
    await page.waitForURL(`${product.url}/`);
  });

  it('fills a list: one contact by hand, two by import', async () => {
    await page.goto(`${product.url}/lists`);
    await heading('Email Lists');
    await look('lists-empty');
    await page
      .getByRole('button', { name: /create|new list/i })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Java vendors');
    await dialog.getByRole('button', { name: /create/i }).click();
    await page.getByText('List Created!').first().waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('link', { name: /Java vendors/ })
      .first()
      .click();
    await heading('Java vendors');
    await page
      .getByRole('button', { name: /Add (Contact|Your First Contact)/ })
      .first()
      .click();
    await dialog.getByLabel('Email', { exact: true }).fill(PEOPLE[0]!);
    await dialog.getByRole('button', { name: 'Add Contact', exact: true }).click();
    await page.getByText('Contact Added!', { exact: true }).first().waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add Contact', exact: true }).click();
    await dialog.getByRole('tab', { name: 'Bulk Import' }).click();
    await dialog
      .getByLabel('Contacts', { exact: true })
      .fill(`${PEOPLE[1]}, Marco Rossi\n${PEOPLE[2]}\nnot an address\n`);
    await dialog.getByRole('button', { name: 'Add Contacts', exact: true }).click();
    await page.getByText('Contacts Added!', { exact: true }).first().waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('3 contacts').first().waitFor();
    await look('list');
  });

  it('has the contacts opt in by mail', async () => {
    for (const person of PEOPLE) {
      const [mail] = await mailsTo(product.mailboxUrl, person);
      await page.goto(linkIn(mail!, '/subscribe/confirmed'));
      await page.getByText('Subscription Confirmed!').first().waitFor();
    }
    await look('confirmed');
  });

  it('sends a job post in four steps', async () => {
    await page.goto(`${product.url}/send`);
    await page.getByText('Step 1 of 4').waitFor();
    await page.getByRole('checkbox', { name: /Java vendors/ }).check();
    await page.getByText('1 lists selected').or(page.getByText('1 list selected')).first().waitFor();
    await look('send-1');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel(/Subject/).fill(SUBJECT);
    await look('send-2');
    await page.getByRole('button', { name: 'Next' }).click();
    await page
      .getByLabel('Email content')
      .fill(
        'Hello,\n\nA client in Dallas needs a Java developer for 12 months.\nMore: https://jobs.example.com/42\n\nDana',
      );
    await look('send-3');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Step 4 of 4').waitFor();
    await page.getByText(SUBJECT).first().waitFor();
    await look('send-4');
    await page.getByRole('button', { name: 'Send Email' }).click();
    await page.getByText('Email Sent Successfully!').first().waitFor();
    await page.waitForURL(`${product.url}/history`);
  });

  it('shows in the history who got it', async () => {
    for (const person of PEOPLE) expect((await mailsTo(product.mailboxUrl, person, 2))[0]!.subject).toBe(SUBJECT);
    await heading('Send History');
    await look('history');
    await page.getByRole('link', { name: `View ${SUBJECT}` }).click();
    await heading(SUBJECT);
    const log = page.getByRole('region', { name: 'Delivery log' });
    await log.getByText(PEOPLE[0]!).first().waitFor();
    await page.getByLabel('Outcome').getByText('3').first().waitFor();
    for (const person of PEOPLE) await log.getByText(person).first().waitFor();
    await look('history-entry');
  });

  it('unsubscribes a recipient with one click', async () => {
    const [mail] = await mailsTo(product.mailboxUrl, PEOPLE[1]!, 2);
    await page.goto(linkIn(mail!, '/unsubscribe/'));
    await page.getByText('has been removed from our mailing list').first().waitFor();
    await look('unsubscribed');
    await page.goto(`${product.url}/lists`);
    await page.getByText('2 contacts').first().waitFor();
    await look('lists');
  });

  it('answers an unknown path with the not-found page', async () => {
    const response = await page.goto(`${product.url}/no/such/page`);
    expect(response?.status()).toBe(404);
    await page.getByText('404 Page Not Found').first().waitFor();
    await look('not-found');
  });

  it('logs out after a question', async () => {
    await page.goto(`${product.url}/lists`);
    await page.getByRole('button', { name: 'Logout' }).first().click();
    await page.getByText('Are you sure you want to logout?').waitFor();
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(/\/login/);
    await page.getByLabel('Email', { exact: true }).waitFor();
    await look('login');
  });

  it('causes no script error and no request to another host', () => {
    expect(faults).toEqual([]);
  });
});
