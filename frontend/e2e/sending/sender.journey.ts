import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import { answerWelcome, VIEWPORTS } from '../kit/browser.ts';
import { look as lookAt } from '../kit/look.ts';
import { linkIn, mailsTo, mailTo } from '../kit/mailbox.ts';
import type { Product } from '../kit/product.ts';
import { seedContacts, SMALL_PICTURE, sql } from '../kit/seed.ts';
import { openOwnStage, type Stage } from '../kit/stage.ts';
import { until } from '../kit/until.ts';

const SENDER = 'dana.okafor@sender.example';
const READER = 'priya@readers.example';
const NAMELESS = 'team@readers.example';
const LEFT = 'gone@readers.example';
const TESTER = 'lee@testers.example';

let stage: Stage;
let product: Product;
let page: Page;
let faults: string[];

beforeAll(async () => {
  // The address is required, as in production.
  stage = await openOwnStage({ env: { SENDER_ADDRESS: 'required' } });
  ({ product, page, faults } = stage);
  const api = await verified(product, SENDER);
  const { slug } = await api.call<{ slug: string }>('POST', '/api/email-lists', { name: 'Java vendors' });
  await seedContacts(product, slug, [
    { email: READER, name: 'Priya Patel' },
    { email: NAMELESS },
    { email: LEFT, name: 'Gone Long' },
  ]);
  await sql(product, `update subscriptions set suppressed = 'unsubscribed', unsubscribed_at = now() where email = $1`, [
    LEFT,
  ]);
  await sql(product, `update users set custom_daily_limit = '100' where email = $1`, [SENDER]);
  await signIn(page, product, SENDER);
  await answerWelcome(page);
});

afterAll(() => stage?.close());
const look = (name: string) => lookAt(page, name);
const section = (name: string) => page.getByRole('region', { name, exact: true });
const saveIn = async (name: string) => {
  await section(name).getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Sender Profile Updated!').first().waitFor();
};

/**
 * Chooses the list and presses Next. Between press and release, the number of recipients arrives and moves the button.
 */
async function pressWhileItMoves(): Promise<void> {
  let answer = (): void => undefined;
  const pressed = new Promise<void>((done) => (answer = done));
  await page.route('**/api/send-email/preview', (route) => pressed.then(() => route.fallback()));
  await page.getByRole('checkbox', { name: /Java vendors/ }).check();
  const next = page.getByRole('button', { name: 'Next' });
  await next.hover();
  const before = await next.boundingBox();
  await page.mouse.down();
  answer();
  await page.getByText(/^Left out: 1 address/).waitFor();
  expect((await next.boundingBox())?.y).not.toBe(before?.y);
  await page.mouse.up();
  await page.unroute('**/api/send-email/preview');
}

/** Sends a test to the user's own address and to a tester, who confirms by the mailed link. */
async function sendTest(): Promise<void> {
  await page.getByRole('button', { name: 'Send a test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await dialog.getByLabel('Add a tester').fill(TESTER);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('Waiting for confirmation').waitFor();
  await look('test-dialog');
  const asked = await mailTo(product.mailboxUrl, TESTER, ({ subject }) => subject.includes('wants to send you tests'));
  const tester = await stage.device();
  await tester.page.goto(linkIn(asked, '/testers/confirm'));
  await lookAt(tester.page, 'tester-confirm');
  await tester.page.getByRole('button', { name: 'Confirm' }).click();
  await tester.page.getByText('Dana Okafor can send you tests now.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await dialog.getByRole('checkbox', { name: TESTER }).check();
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Test sent to 2 addresses').first().waitFor();
  for (const address of [SENDER, TESTER]) {
    const mail = await mailTo(product.mailboxUrl, address, ({ subject }) => subject === '[Test] Signed');
    expect(mail.text).toContain('Please do not forward.');
  }
  await dialog.getByText('Accepted by the mail server').nth(1).waitFor();
  const tried = await mailTo(product.mailboxUrl, TESTER, ({ subject }) => subject === '[Test] Signed');
  await tester.page.goto(linkIn(tried, '/unsubscribe/test'));
  await tester.page.getByText('There is nothing to leave.').waitFor();
  expect(tester.faults).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();
}

describe('who the sender is', () => {
  it('is filled in, with a signature of the details and a logo, and previewed', async () => {
    await page.goto(`${product.url}/settings#sender`);
    const sender = section('Sender profile');
    await sender.getByLabel(/^Title/).fill('Senior recruiter');
    await sender.getByLabel(/^Phone/).fill('+1 860 555 0142');
    await sender.getByLabel(/^Website/).fill('https://northline.example');
    await saveIn('Sender profile');
    const emails = section('Look of your emails');
    await emails.getByRole('button', { name: 'Use my details' }).click();
    await emails.getByRole('textbox', { name: 'Signature' }).getByText('Senior recruiter').waitFor();
    await emails
      .getByLabel('Logo', { exact: true })
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: SMALL_PICTURE });
    await emails.getByRole('img', { name: 'Your logo' }).waitFor();
    expect(await emails.getByRole('switch', { name: 'Show logo' }).isChecked()).toBe(true);
    await emails.getByRole('combobox', { name: 'Colour of links and buttons' }).click();
    await page.getByRole('option', { name: 'Purple' }).click();
    await emails.getByLabel(/^Closing line/).fill('Please do not forward.');
    const preview = page.frameLocator('iframe[title="Preview of your emails"]');
    await preview.getByText('Please do not forward.').waitFor();
    await preview.getByText('Senior recruiter').waitFor();
    await preview.locator('img').waitFor();
    await saveIn('Look of your emails');
    await look('settings-sender');
    await page.setViewportSize(VIEWPORTS[1]!);
    await emails.getByRole('button', { name: 'Show preview' }).click();
    await preview.getByText('Please do not forward.').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.setViewportSize(VIEWPORTS[0]!);
  });

  it('asks for the business address with the first send, and the email says it all', async () => {
    await page.goto(`${product.url}/send`);
    await page.getByRole('checkbox', { name: /Java vendors/ }).check();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Subject line').fill('Signed');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('textbox', { name: 'Email content' }).click();
    await page.keyboard.type('Hello all');
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await page.getByRole('switch', { name: 'Signature' }).isChecked()).toBe(true);
    await page.frameLocator('iframe').getByText('Senior recruiter').first().waitFor();
    await look('send-sender');
    await sendTest();
    await page.getByRole('button', { name: 'Send Email' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add your business address' });
    await dialog.getByLabel('Street address').fill('12 Main Street');
    await look('address-dialog');
    await dialog.getByLabel('City').fill('Hartford');
    await dialog.getByLabel('State').fill('CT');
    await dialog.getByLabel('Postal code').fill('06103');
    await dialog.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByText('Email Sent Successfully!').first().waitFor();
    const mail = await mailTo(product.mailboxUrl, READER, ({ subject }) => subject === 'Signed');
    for (const part of [mail.html, mail.text]) {
      expect(part).toContain('Senior recruiter');
      expect(part).toContain('Please do not forward.');
      expect(part).toContain('12 Main Street, Hartford, CT 06103');
    }
    expect(mail.html).toMatch(/<img src="[^"]*\/media\/[\w-]{43}\.png"/);
    expect(mail.html).toContain('style="color:#5c3391;');
  });

  it('is warned before an email leaves: rows are mended by their buttons, and the forecast is what follows', async () => {
    const text = page.getByRole('textbox', { name: 'Email content' });
    await page.goto(`${product.url}/send`);
    await pressWhileItMoves();
    await page.getByLabel('Subject line').fill('RE: Java in Hartford');
    await page.getByRole('button', { name: 'Next' }).click();
    await text.click();
    await page.keyboard.type('Dear {{last');
    await page.getByRole('option', { name: /Last name/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type(', a role at $60/hr, see http://acme.example/java for more. USC only.');
    await page.getByRole('button', { name: 'Next' }).click();

    const check = section('Check');
    const row = (words: RegExp) => check.getByRole('listitem').filter({ hasText: words });
    await page.getByText('Reaches 2 of 3 addresses.').waitFor();
    await row(/discrimination under US law/).waitFor();
    await look('send-check');
    await page.getByRole('button', { name: '1 unsubscribed' }).click();
    await page.getByText('They left your list, the shared network, or all mail.').waitFor();
    await page.keyboard.press('Escape');
    await check.getByRole('button', { name: 'Use https' }).click();
    await row(/not encrypted/).waitFor({ state: 'detached' });
    await row(/^Worth a look.*Last name is empty for 1 of/)
      .getByRole('button', { name: 'Add fallback' })
      .click();
    await page.getByRole('dialog', { name: 'Last name' }).waitFor();
    await page.keyboard.type('colleague');
    await page.keyboard.press('Enter');
    await text.getByText('Last name · colleague').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await row(/The subject begins with RE:/)
      .getByRole('button', { name: 'Show' })
      .click();
    const subject = page.getByLabel('Subject line');
    await until('the focus on the subject', () => subject.evaluate((input) => input === document.activeElement));
    await page.keyboard.type('On: ');
    expect(await subject.inputValue()).toBe('On:  Java in Hartford');
    for (const _step of ['content', 'preview']) await page.getByRole('button', { name: 'Next' }).click();
    await row(/Last name is empty/).waitFor({ state: 'detached' });
    await row(/The subject begins with/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send Email' }).click();
    await page.getByText('Email Sent Successfully!').first().waitFor();
    for (const [address, name] of [
      [READER, 'Patel'],
      [NAMELESS, 'colleague'],
    ]) {
      const mail = await mailTo(product.mailboxUrl, address!, ({ subject }) => subject.startsWith('On:'));
      expect(mail.text).toContain(`Dear ${name}, a role at $60/hr`);
      expect(mail.text).toContain('https://acme.example/java');
    }
    expect(await mailsTo(product.mailboxUrl, LEFT, 0)).toEqual([]);
  });

  it('causes no script error and no request to another host', () => {
    expect(faults).toEqual([]);
  });
});
