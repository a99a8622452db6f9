import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { verifyDkim } from '../../backend/test/integration/email/verify-dkim.ts';
import { pdf } from '../../backend/test/kit/uploads.ts';
import { signIn, verified } from './kit/accounts.ts';
import type { Api } from './kit/api.ts';
import { answerWelcome, openPage, VIEWPORTS } from './kit/browser.ts';
import { clipboardHtml, paste } from './kit/clipboard.ts';
import { look as lookAt } from './kit/look.ts';
import { linkIn, type Mail, mailsTo, mailTo, sourceOf } from './kit/mailbox.ts';
import type { Product } from './kit/product.ts';
import { seedContacts, SMALL_PICTURE, sql } from './kit/seed.ts';
import { openOwnStage, type Stage } from './kit/stage.ts';
import { until } from './kit/until.ts';

const SENDER = 'dana.okafor@whole.example';
const READER = 'priya@whole.example';
const NAMELESS = 'jobs@whole.example';
const LEFT = 'gone@whole.example';
const SUBJECT = 'Lead Java Developer | Hartford, CT (Hybrid) | $65-70/hr C2C | 12+ months';
const RESUME = 'Resume Asha.pdf';
const REQUIREMENT = `Hi,
Please share profiles for the role below.

Job Title: Lead Java Developer
Client: Riverbank Insurance
Location: Hartford, CT (hybrid, 3 days a week)
Duration: 12+ months
Rate: $60/hr C2C
Visa: US citizens only
Must have: Java, Spring Boot, AWS

Job Description:
Riverbank Insurance, Inc. rebuilds its claims services.

Thanks,
Ravi Menon
Vendor Systems
ravi.menon@vendor.example
(860) 555-0142`;

const DKIM_DOMAIN = 'mail.northline.example';
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const DNS = { [`s1._domainkey.${DKIM_DOMAIN}`]: `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}` };

let stage: Stage;
let product: Product;
let page: Page;
/** Faults of each device. */
const faults: string[][] = [];
let api: Api;
let listId: string;
/** The mails of the send to two recipients, with and without a name. */
let mails: [named: Mail, unnamed: Mail];

beforeAll(async () => {
  // The address is required in production, too.
  const env = { SENDER_ADDRESS: 'required', DKIM_DOMAIN, DKIM_SELECTOR: 's1', DKIM_PRIVATE_KEY: keys.privateKey };
  stage = await openOwnStage({ env });
  ({ product, page } = stage);
  faults.push(stage.faults);
  api = await verified(product, SENDER);
  const list = await api.call<{ id: string; slug: string }>('POST', '/api/email-lists', { name: 'Java vendors' });
  listId = list.id;
  await seedContacts(product, list.slug, [
    { email: READER, name: 'Priya Patel' },
    { email: NAMELESS },
    { email: LEFT, name: 'Gone Long' },
  ]);
  await sql(product, `update subscriptions set suppressed = 'unsubscribed', unsubscribed_at = now() where email = $1`, [
    LEFT,
  ]);
  await signIn(page, product, SENDER);
  await answerWelcome(page);
});

afterAll(() => stage?.close());
const look = (name: string) => lookAt(page, name);
const next = () => page.getByRole('button', { name: 'Next' }).click();
const field = () => page.getByRole('textbox', { name: 'Email content' });
const saved = (on = page) => on.getByText(/^Saved \d/).waitFor();
const draftId = () => new URL(page.url()).pathname.split('/').at(-1) ?? '';
const check = () => page.getByRole('region', { name: 'Check', exact: true });
const row = (words: RegExp) => check().getByRole('listitem').filter({ hasText: words });

/** User agent of a person's browser. Downloads by a headless one count as automated. */
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Opens a page in a separate browser context. */
async function device(): Promise<Page> {
  const context = await stage.browser.newContext({ viewport: VIEWPORTS[0], userAgent: PERSON });
  const opened = await openPage(context, [product.url]);
  faults.push(opened.faults);
  return opened.page;
}

/** Sets the cursor to the end of the line with the pasted greeting. */
async function atGreeting(): Promise<void> {
  await field().getByText('Hi Marco,').click();
  await page.keyboard.press('End');
}

describe('one email from the sender’s details to the downloads of its résumé', () => {
  it('has a sender with an address and a logo', async () => {
    await page.goto(`${product.url}/settings#sender`);
    const sender = page.getByRole('region', { name: 'Sender profile', exact: true });
    await sender.getByLabel(/^Title/).fill('Senior recruiter');
    await sender.getByLabel('Street address').fill('12 Main Street');
    await sender.getByLabel('City').fill('Hartford');
    await sender.getByLabel('State').fill('CT');
    await sender.getByLabel('Postal code').fill('06103');
    await sender.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Sender Profile Updated!').first().waitFor();
    const emails = page.getByRole('region', { name: 'Look of your emails', exact: true });
    await emails.getByRole('button', { name: 'Use my details' }).click();
    await emails.getByRole('textbox', { name: 'Signature' }).getByText('Senior recruiter').waitFor();
    await emails
      .getByLabel('Logo', { exact: true })
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: SMALL_PICTURE });
    await emails.getByRole('img', { name: 'Your logo' }).waitFor();
    await emails.getByRole('button', { name: 'Save changes' }).click();
    await until('the look is saved', async () => {
      const { showLogo } = await api.call<{ showLogo: boolean }>('GET', '/api/sender-profile');
      return showLogo;
    });
  });

  it('begins with a requirement: one guess is corrected, its subject is suggested, its client stays untold', async () => {
    await page.goto(`${product.url}/send`);
    await page.getByRole('checkbox', { name: /Java vendors/ }).check();
    await next();
    await page.getByRole('button', { name: 'Paste a requirement' }).click();
    const dialog = page.getByRole('dialog', { name: 'Paste a requirement' });
    await dialog.getByLabel('Paste the requirement as you got it').fill(REQUIREMENT);
    await dialog.getByRole('button', { name: 'Read it' }).click();
    await dialog
      .getByText(/the client's name \(Riverbank Insurance, Inc\.\)\./)
      .first()
      .waitFor();
    await dialog.getByLabel('Rate', { exact: true }).fill('$65-70/hr');
    await dialog.getByRole('button', { name: 'Use it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Subject line').inputValue()).toBe(SUBJECT);
    await next();
    await field().getByText('Our client rebuilds its claims services.').waitFor();
    expect(await field().textContent()).not.toMatch(/Riverbank|ravi\.menon/);
  });

  it('goes on with a paste from Outlook, two merge tags and a résumé as a link', async () => {
    await field().getByText('Our client rebuilds its claims services.').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await paste(field(), clipboardHtml('outlook/win-hotlist.html'), 'the same as text');
    await page.getByText(/^Pasted as text, lists and tables\./).waitFor();
    await field().getByText('Asha R.').waitFor();
    expect(await field().locator('li').count()).toBe(2);
    await atGreeting();
    await page.keyboard.type(' {{first');
    await page.getByRole('option', { name: /^First name/ }).waitFor();
    await page.keyboard.press('Enter');
    await field().getByText('First name · there').click();
    await page.getByLabel('If empty, say').fill('all');
    await page.getByRole('button', { name: 'Apply' }).click();
    await field().getByText('First name · all').waitFor();
    await atGreeting();
    await page.keyboard.type(' of the family {{last');
    await page.getByRole('option', { name: /^Last name/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type(', see http://northline.example/board for more.');
    await page.getByLabel('Files to add').setInputFiles({ name: RESUME, mimeType: 'application/pdf', buffer: pdf() });
    const file = page.getByRole('list', { name: 'Files of this email' }).getByRole('listitem', { name: RESUME });
    await file.getByText('Ready').waitFor();
    await file.getByRole('button', { name: 'Place in the text' }).click();
    await file.getByRole('button', { name: 'Place again' }).waitFor();
    await saved();
    await look('whole-send-content');
  });

  it('continues in another browser, where a change on a third device has to be settled', async () => {
    const id = draftId();
    await page.close();
    page = await device();
    await signIn(page, product, SENDER);
    await answerWelcome(page);
    await page.goto(`${product.url}/send`);
    await page.getByText(/^You have 1 draft\./).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(new RegExp(id));
    await field().getByText('First name · all').waitFor();
    const third = await device();
    await signIn(third, product, SENDER);
    await answerWelcome(third);
    await third.goto(`${product.url}/send/${id}?step=2`);
    await third.getByLabel('Subject line').fill('Changed on the third device');
    await saved(third);
    await field().press('Control+End');
    await page.keyboard.type(' Thanks!');
    const asked = page.getByRole('alertdialog', { name: 'This draft was changed elsewhere' });
    await asked.getByRole('button', { name: 'Keep mine' }).click();
    await asked.waitFor({ state: 'detached' });
    await saved();
    expect((await api.call<{ subject: string }>('GET', `/api/drafts/${id}`)).subject).toBe(SUBJECT);
    await third.close();
  });

  it('is previewed as each recipient reads it, on a phone, and as plain text', async () => {
    await next();
    const frame = page.frameLocator('iframe');
    await page.getByText(/^Recipient 1 of 2 · /).waitFor();
    await page.getByRole('button', { name: 'Next recipient' }).click();
    await page.getByText(/^Recipient 2 of 2 · /).waitFor();
    await page.getByRole('checkbox', { name: /^Only those with an empty tag/ }).check();
    await page.getByText(new RegExp(`^Recipient 1 · ${NAMELESS}`)).waitFor();
    await frame
      .getByText(/Hi Marco, all of the family/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Phone' }).click();
    await frame.getByText('Asha R.').first().waitFor();
    await page.getByRole('button', { name: 'Plain text' }).click();
    await page
      .getByText(/Our client rebuilds its claims services/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Desktop' }).click();
  });

  it('is tested: the mail is in the own mailbox', async () => {
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test' });
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Test sent to 1 address').first().waitFor();
    const test = await mailTo(product.mailboxUrl, SENDER, ({ subject }) => subject === `[Test] ${SUBJECT}`);
    for (const part of [test.html, test.text]) {
      expect(part).toContain('Our client rebuilds its claims services.');
      expect(part).toContain('12 Main Street, Hartford, CT 06103');
    }
    await dialog.getByText('Accepted by the mail server').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('is checked: two rows are mended by their buttons', async () => {
    await page.getByText('Reaches 2 of 3 addresses.').waitFor();
    await row(/discrimination under US law/).waitFor();
    await row(/not encrypted/).waitFor();
    await check().getByRole('button', { name: 'Use https' }).click();
    await row(/not encrypted/).waitFor({ state: 'detached' });
    await row(/Last name is empty for 1 of/)
      .getByRole('button', { name: 'Add fallback' })
      .click();
    await page.getByRole('dialog', { name: 'Last name' }).waitFor();
    await page.keyboard.type('Vendor');
    await page.keyboard.press('Enter');
    await field().getByText('Last name · Vendor').waitFor();
    await next();
    await row(/Last name is empty/).waitFor({ state: 'detached' });
    await page.getByText('Reaches 2 of 3 addresses.').waitFor();
  });

  it('reaches whom the forecast counted; the mails differ in the names only, are signed, and can be left with one press', async () => {
    await page.getByRole('button', { name: 'Send Email' }).click();
    await page.getByText('Email Sent Successfully!').first().waitFor();
    const meant = ({ subject }: Mail) => subject === SUBJECT;
    mails = (await Promise.all([READER, NAMELESS].map((to) => mailTo(product.mailboxUrl, to, meant)))) as typeof mails;
    expect(await mailsTo(product.mailboxUrl, LEFT, 0)).toEqual([]);
    const [named, unnamed] = mails;
    expect(named.text).toContain('Hi Marco, Priya of the family Patel, see https://northline.example/board');
    expect(unnamed.text).toContain('Hi Marco, all of the family Vendor, see https://northline.example/board');
    const common = (text: string) =>
      text
        .replace(/(?:Priya|all) of the family (?:Patel|Vendor)/g, 'NAMES')
        .replace(/https?:\/\/\S*\/(?:unsubscribe|never-ask)\/\S*/g, 'LINK')
        .replaceAll(READER, 'TO')
        .replaceAll(NAMELESS, 'TO');
    expect(common(named.text)).toBe(common(unnamed.text));
    expect(common(named.html)).toBe(common(unnamed.html));
    for (const mail of mails) {
      const source = await sourceOf(product.mailboxUrl, mail);
      expect(await verifyDkim(source, DNS)).toMatchObject({ verdict: 'pass', domain: DKIM_DOMAIN });
    }
    const source = (await sourceOf(product.mailboxUrl, unnamed)).replace(/\r\n[ \t]/g, ' ');
    expect(source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const [, leave = ''] = /^List-Unsubscribe: <(\S+)>/m.exec(source) ?? [];
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(leave, { method: 'POST', body })).status).toBe(200);
    const again = { emailListIds: [listId], emailType: 'job-post', subject: 'Again', content: 'Hello' };
    const preview = await api.call<{ recipientCount: string }>('POST', '/api/send-email/preview', again);
    expect(preview.recipientCount).toBe('1');
  });

  it('has a file that is downloaded from its page, once, by a person', async () => {
    const reader = await device();
    await reader.goto(linkIn(mails[0], '/files/'));
    await reader.getByRole('heading', { name: RESUME }).waitFor();
    await lookAt(reader, 'whole-send-file');
    const [download] = await Promise.all([
      reader.waitForEvent('download'),
      reader.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(RESUME);
    await reader.close();
    await page.goto(`${product.url}/library?tab=files`);
    await page.getByText('1 by people, 0 automatic').first().waitFor();
  });

  it('is duplicated and becomes a template from the history', async () => {
    await page.goto(`${product.url}/history`);
    await page.getByRole('link', { name: `View ${SUBJECT}` }).click();
    await page.getByRole('heading', { level: 1, name: SUBJECT }).waitFor();
    await page.getByRole('button', { name: 'Save as template' }).click();
    const naming = page.getByRole('dialog', { name: 'Save as template' });
    await naming.getByLabel('Name').fill('Lead Java, Hartford');
    await naming.getByRole('button', { name: 'Save template' }).click();
    await page.getByText('Template Saved!').first().waitFor();
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
    await page.waitForURL(/\/send\/[0-9a-f-]{36}/);
    const copy = await api.call<{ subject: string; files: unknown[]; job: { title: string } }>(
      'GET',
      `/api/drafts/${draftId()}`,
    );
    expect(copy).toMatchObject({ subject: SUBJECT, job: { title: 'Lead Java Developer' } });
    expect(copy.files).toHaveLength(1);
  });

  it('loses its file when that is deleted, and the page of the link says so', async () => {
    await page.goto(`${product.url}/library?tab=files`);
    await page.getByRole('button', { name: `Actions for ${RESUME}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const asked = page.getByRole('alertdialog', { name: `Delete "${RESUME}"?` });
    await asked.getByText(/Links in 1 sent email stop working\./).waitFor();
    await asked.getByRole('button', { name: 'Delete' }).click();
    await asked.waitFor({ state: 'detached' });
    const reader = await device();
    await reader.goto(linkIn(mails[0], '/files/'));
    await reader.getByText('This file is no longer available.').waitFor();
    await reader.getByRole('link', { name: /^Ask Dana/ }).waitFor();
    await lookAt(reader, 'whole-send-file-gone');
  });

  it('causes no script error and no request to another host', () => {
    expect(faults.flat()).toEqual([]);
  });
});
