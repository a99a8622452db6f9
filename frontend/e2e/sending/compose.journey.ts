import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import type { Api } from '../kit/api.ts';
import { answerWelcome, VIEWPORTS } from '../kit/browser.ts';
import { clipboardHtml, paste } from '../kit/clipboard.ts';
import { mailTo } from '../kit/mailbox.ts';
import { look as lookAt } from '../kit/look.ts';
import type { Product } from '../kit/product.ts';
import { seedContacts, SMALL_PICTURE, sql } from '../kit/seed.ts';
import { openStage, type Stage } from '../kit/stage.ts';
import { until } from '../kit/until.ts';
import { contentField, draftIdOf, draftSaved, nextStep } from '../kit/wizard.ts';

const SENDER = 'dana.okafor@compose.example';
const SUBJECT = 'Hotlist: five consultants, available now';
const WITH_NAME = 'priya@compose.example';
const WITHOUT_NAME = 'jobs@compose.example';

let stage: Stage;
let product: Product;
let page: Page;
let faults: string[];
let api: Api;

beforeAll(async () => {
  stage = await openStage();
  ({ product, page, faults } = stage);
  api = await verified(product, SENDER);
  await sql(product, `update users set custom_daily_limit = '100' where email = $1`, [SENDER]);
  const { slug } = await api.call<{ slug: string }>('POST', '/api/email-lists', { name: 'Java vendors' });
  await seedContacts(product, slug, [{ email: WITH_NAME, name: 'Priya Patel' }, { email: WITHOUT_NAME }]);
  await signIn(page, product, SENDER);
  await answerWelcome(page);
});

afterAll(() => stage?.close());
const look = (name: string) => lookAt(page, name);
const next = (on = page) => nextStep(on);
const field = (on = page) => contentField(on);

describe('writing a hotlist', () => {
  it('begins a draft with its first change', async () => {
    await page.goto(`${product.url}/send`);
    await page.getByRole('checkbox', { name: /Java vendors/ }).check();
    await page.waitForURL(/\/send\/[0-9a-f-]{36}/);
    await next();
    await page.getByLabel('Subject line').fill(SUBJECT);
    await page.getByLabel(/Preview line/).fill('Rates and locations inside');
    await draftSaved(page);
    await look('compose-2');
  });

  it('pastes from Outlook with its list and its table', async () => {
    await next();
    await paste(field(), clipboardHtml('outlook/win-hotlist.html'), 'the same as text');
    await page.getByText(/^Pasted as text, lists and tables\. Left out: colours and fonts\./).waitFor();
    expect(await field().locator('th').count()).toBe(5);
    expect(await field().locator('li').count()).toBe(2);
    await look('compose-3');
  });

  it('greets by first name, with a fallback for those without one', async () => {
    await field().press('Control+Home');
    await field().pressSequentially('Hi {{first');
    await page.getByRole('option', { name: /^First name/ }).waitFor();
    await page.keyboard.press('Enter');
    await field().pressSequentially(', ');
    const chip = field().getByText('First name · there');
    await chip.click();
    await page.getByLabel('If empty, say').fill('all');
    await page.getByRole('button', { name: 'Apply' }).click();
    await field().getByText('First name · all').waitFor();
    await draftSaved(page);
  });

  it('continues in another browser after the tab is closed', async () => {
    const id = draftIdOf(page);
    await page.close();
    const other = await stage.device();
    ({ page } = other);
    faults.push(...other.faults);
    await signIn(page, product, SENDER);
    await answerWelcome(page);
    await page.goto(`${product.url}/library`);
    await page.getByRole('link', { name: SUBJECT }).waitFor();
    await look('library-drafts');
    await page.goto(`${product.url}/send`);
    await page.getByText(/^You have 1 draft\./).waitFor();
    await look('send-with-drafts');
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(new RegExp(id));
    await field().getByText('First name · all').waitFor();
  });

  it('asks which version to keep after a change on another device', async () => {
    const other = await stage.device();
    await signIn(other.page, product, SENDER);
    await answerWelcome(other.page);
    await other.page.goto(`${product.url}/send/${draftIdOf(page)}?step=2`);
    await other.page.getByLabel('Subject line').fill('Changed on the other device');
    await draftSaved(other.page);
    await field().press('Control+End');
    await field().pressSequentially(' Thanks!');
    const asked = page.getByRole('alertdialog', { name: 'This draft was changed elsewhere' });
    await asked.waitFor();
    await look('compose-conflict');
    await asked.getByRole('button', { name: 'Keep mine' }).click();
    await asked.waitFor({ state: 'detached' });
    await draftSaved(page);
    const stored = await api.call<{ subject: string }>('GET', `/api/drafts/${draftIdOf(page)}`);
    expect(stored.subject).toBe(SUBJECT);
    await other.page.close();
  });

  it('previews the message as each recipient reads it', async () => {
    await next();
    await page.getByText('Step 4 of 4').waitFor();
    const frame = page.frameLocator('iframe');
    await page.getByText(/^Recipient 1 of 2 · /).waitFor();
    await look('compose-4');
    const greetings = new Set<string>();
    greetings.add((await frame.getByText(/^Hi /).first().textContent())?.trim() ?? '');
    await page.getByRole('button', { name: 'Next recipient' }).click();
    await page.getByText(/^Recipient 2 of 2 · /).waitFor();
    await until('the other greeting', async () => {
      greetings.add((await frame.getByText(/^Hi /).first().textContent())?.trim() ?? '');
      return greetings.size === 2;
    });
    expect([...greetings].map((text) => text.slice(0, 8)).sort()).toEqual(['Hi Priya', 'Hi all, ']);
    const withoutName = page.getByRole('checkbox', { name: 'Only those with an empty tag (1)' });
    await withoutName.check();
    await page.getByText(new RegExp(`^Recipient 1 · ${WITHOUT_NAME}`)).waitFor();
    await frame
      .getByText(/^Hi all,/)
      .first()
      .waitFor();
    await withoutName.uncheck();
    await page.getByText(/^Recipient 1 of 2 · /).waitFor();
    await page.getByRole('button', { name: 'Phone' }).click();
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.getByRole('button', { name: 'Plain text' }).click();
    await page
      .getByText(/Asha R\./)
      .first()
      .waitFor();
  });

  it('sends it: the mails of two recipients differ in the name only', async () => {
    await page.getByRole('button', { name: 'Send Email' }).click();
    await page.getByText('Email Sent Successfully!').first().waitFor();
    await page.waitForURL(`${product.url}/history`);
    const [named, unnamed] = await Promise.all(
      [WITH_NAME, WITHOUT_NAME].map((to) => mailTo(product.mailboxUrl, to, ({ subject }) => subject === SUBJECT)),
    );
    const common = (text: string) =>
      text
        .replace(/Hi (?:Priya|all),/g, 'Hi NAME,')
        .replace(/https?:\/\/\S*\/(?:unsubscribe|never-ask)\/\S*/g, 'LINK')
        .replaceAll(WITH_NAME, 'TO')
        .replaceAll(WITHOUT_NAME, 'TO');
    expect(named!.text).toContain('Hi Priya,');
    expect(unnamed!.text).toContain('Hi all,');
    expect(common(named!.text)).toBe(common(unnamed!.text));
    expect(common(named!.html)).toBe(common(unnamed!.html));
    expect(named!.html).toMatch(/<th[^>]*scope=/);
  });

  it('duplicates it from the history, and saves it as a template', async () => {
    await page.getByRole('link', { name: `View ${SUBJECT}` }).click();
    await page.getByRole('heading', { level: 1, name: SUBJECT }).waitFor();
    await look('history-entry-document');
    await page.getByRole('button', { name: 'Save as template' }).click();
    const naming = page.getByRole('dialog', { name: 'Save as template' });
    await naming.getByLabel('Name').fill('Hotlist');
    await naming.getByRole('button', { name: 'Save template' }).click();
    await page.getByText('Template Saved!').first().waitFor();
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
    await page.waitForURL(/\/send\/[0-9a-f-]{36}/);
    await page.goto(`${product.url}/library?tab=templates`);
    await page.getByRole('link', { name: 'Hotlist' }).waitFor();
    await look('library-templates');
    await page.getByRole('link', { name: 'Hotlist' }).click();
    await field().getByText('Asha R.').waitFor();
    await look('library-template');
  });
});

describe('writing an email on a phone', () => {
  const sideways = (on: Page) =>
    on.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  it('adds a picture and a tag in the subject, previews and sends; begins another email from a template', async () => {
    const { page: phone, faults: found } = await stage.device();
    await phone.setViewportSize(VIEWPORTS[1]!);
    await signIn(phone, product, SENDER);
    await answerWelcome(phone);
    await phone.goto(`${product.url}/send`);
    await phone.getByRole('checkbox', { name: /Java vendors/ }).check();
    await next(phone);
    await phone.getByLabel('Subject line').fill('From the phone, {{first_name|friend}}');
    await phone.getByLabel(/Preview line/).focus();
    await phone.getByRole('button', { name: 'First name · friend' }).waitFor();
    await next(phone);
    await field(phone).click();
    await phone.keyboard.type('See our board:');
    await phone.keyboard.press('Enter');
    await phone.getByRole('button', { name: 'Picture' }).click();
    const dialog = phone.getByRole('dialog', { name: 'Picture' });
    await dialog
      .getByLabel('Picture file')
      .setInputFiles({ name: 'board.png', mimeType: 'image/png', buffer: SMALL_PICTURE });
    await dialog.getByLabel('Description').fill('Our board');
    await dialog.locator('input[value="1"]').waitFor(); // Waits until the picture's own width is read.
    await dialog.getByLabel('Width in pixels').fill('120');
    await lookAt(phone, 'picture-dialog');
    await phone.setViewportSize(VIEWPORTS[1]!);
    await dialog.getByRole('button', { name: 'Add' }).click();
    const picture = field(phone).getByRole('img', { name: 'Our board' });
    await until('the picture is loaded', () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    await next(phone);
    await phone.frameLocator('iframe').getByText('See our board:').first().waitFor();
    expect(await sideways(phone)).toBe(0);
    await phone.getByRole('button', { name: 'Send Email' }).click();
    await phone.getByText('Email Sent Successfully!').first().waitFor();
    const mail = await mailTo(product.mailboxUrl, WITH_NAME, ({ subject }) => subject === 'From the phone, Priya');
    expect(mail.html).toMatch(/<img src="[^"]*\/media\/[\w-]{43}\.png" alt="Our board" width="120"/);
    await phone.getByRole('button', { name: 'Open navigation' }).click();
    await phone.getByRole('link', { name: 'Library' }).click();
    await phone.getByRole('tab', { name: 'Templates' }).click();
    await phone.getByRole('button', { name: 'Actions for Hotlist' }).click();
    await phone.getByRole('menuitem', { name: 'Use' }).click();
    await phone.getByRole('checkbox', { name: /Java vendors/ }).check();
    await next(phone);
    expect(await phone.getByLabel('Subject line').inputValue()).toBe(SUBJECT);
    await next(phone);
    await field(phone).getByText('Asha R.').waitFor();
    expect(await sideways(phone)).toBe(0);
    faults.push(...found);
    await phone.close();
  });
});

describe('writing an email by keyboard alone', () => {
  it('makes a list, a link and a table, and sends', async () => {
    const press = (key: string) => page.keyboard.press(key);
    await page.goto(`${product.url}/send`);
    await page.getByRole('checkbox', { name: /Java vendors/ }).focus();
    await press('Space');
    await press('Control+Enter');
    await page.getByText('Step 2 of 4').waitFor();
    await page.keyboard.type('Written by keyboard');
    await press('Enter');
    await page.getByText('Step 3 of 4').waitFor();
    await field().focus();
    await page.keyboard.type('Skills:');
    await press('Enter');
    await press('Control+Shift+8');
    await page.keyboard.type('Java');
    await press('Enter');
    await page.keyboard.type('AWS');
    await press('Enter');
    await press('Enter');
    await press('Control+k');
    const words = page.getByRole('dialog', { name: 'Link' }).getByLabel('Text');
    await until('the focus in the dialog', () => words.evaluate((input) => input === document.activeElement));
    await page.keyboard.type('our jobs');
    await press('Tab');
    await page.keyboard.type('northline.example/jobs');
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press('Enter');
    await press('Alt+F10');
    for (let step = 0; step < 6; step += 1) await press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Table');
    await press('Enter');
    await page.keyboard.type('Name');
    await press('Tab');
    await page.keyboard.type('Rate');
    await press('Escape');
    await press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.tiptap') === null)).toBe(true);
    expect(await field().locator('li').allTextContents()).toEqual(['Java', 'AWS']);
    expect(await field().locator('th').allTextContents()).toEqual(['Name', 'Rate', '']);
    expect(await field().locator('a').getAttribute('href')).toBe('https://northline.example/jobs');
    await press('Control+Enter');
    await page.getByText('Step 4 of 4').waitFor();
    const send = page.getByRole('button', { name: 'Send Email' });
    await until('the focus on Send Email', async () => {
      await press('Tab');
      return send.evaluate((button) => button === document.activeElement);
    });
    await press('Enter');
    await page.getByText('Email Sent Successfully!').first().waitFor();
    await mailTo(product.mailboxUrl, WITH_NAME, ({ subject }) => subject === 'Written by keyboard');
  });

  it('causes no script error and no request to another host', () => {
    expect(faults).toEqual([]);
  });
});
