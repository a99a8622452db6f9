import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import { answerWelcome, openPage, VIEWPORTS } from '../kit/browser.ts';
import { look as lookAt, lookWithKeyboard } from '../kit/look.ts';
import { linkIn, mailTo } from '../kit/mailbox.ts';
import type { Product } from '../kit/product.ts';
import { seedContacts, sql } from '../kit/seed.ts';
import { openOwnStage, type Stage } from '../kit/stage.ts';

const ADMIN = 'ops@files.example';
const SENDER = 'dana.cole@files.example';
const READER = 'priya@readers.files.example';
/** User agent of a reader's browser. A headless browser would be counted as a mail scanner. */
const BROWSER_USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const LONG_NAME =
  'Resume of a Senior Java Developer with Spring Boot, Kafka and AWS, Hartford CT, available in two weeks';

let stage: Stage;
let product: Product;
let page: Page;
let faults: string[];
let admin: Awaited<ReturnType<typeof verified>>;
let reader: { page: Page; faults: string[] };

beforeAll(async () => {
  stage = await openOwnStage({ env: { LINK_GUARD_SECONDS: '0' } });
  ({ product, page, faults } = stage);
  admin = await verified(product, ADMIN);
  await sql(product, `update users set is_admin = true where email = $1`, [ADMIN]);
  const api = await verified(product, SENDER);
  const { slug } = await api.call<{ slug: string }>('POST', '/api/email-lists', { name: 'Java vendors' });
  await seedContacts(product, slug, [{ email: READER, name: 'Priya Patel' }]);
  await sql(product, `update users set custom_daily_limit = '100', agency_name = 'Northline' where email = $1`, [
    SENDER,
  ]);
  reader = await openPage(await stage.browser.newContext({ userAgent: BROWSER_USER_AGENT, acceptDownloads: true }), [
    product.url,
  ]);
  await signIn(page, product, SENDER);
  await answerWelcome(page);
});

afterAll(() => stage?.close());

const look = (name: string) => lookAt(page, name);
/** A small PDF. */
const pdf = (name: string, text = name) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n% ${text}\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`,
  ),
});
const files = () => page.getByRole('region', { name: /^Files/ });
const row = (name: string): Locator => files().getByRole('listitem', { name, exact: true });
const toStep3 = async (subject: string) => {
  await page.goto(`${product.url}/send`);
  await page.getByRole('checkbox', { name: /Java vendors/ }).check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Subject line').fill(subject);
  await page.getByRole('button', { name: 'Next' }).click();
};

let link: string;

describe('the files of an email', () => {
  it('are uploaded, one as a link in the text, one in the block', async () => {
    await toStep3('Java hotlist');
    await page.getByRole('textbox', { name: 'Email content' }).click();
    await page.keyboard.type('Please see ');
    await page.getByLabel('Files to add').setInputFiles([pdf('Resume.pdf'), pdf(`${LONG_NAME}.pdf`)]);
    await row('Resume.pdf').getByText('Ready').waitFor();
    await row(`${LONG_NAME}.pdf`).getByText('Ready').waitFor();
    await page.getByLabel('Files to add').setInputFiles({ ...pdf('tool.pdf'), buffer: Buffer.from('MZ no document') });
    await row('tool.pdf').getByText('Send a PDF, Word (.docx), ODT or text file').waitFor();
    await look('send-files');
    await row('tool.pdf').getByRole('button', { name: 'Remove tool.pdf' }).click();
    await row('Resume.pdf').getByRole('button', { name: 'Place in the text' }).click();
    await page.keyboard.type(' and reply.');
    const field = page.getByRole('textbox', { name: 'Email content' });
    await field.getByText('Resume', { exact: true }).waitFor();
    expect((await field.innerText()).trim()).toBe('Please see Resume and reply.');
    const block = files().getByRole('list', { name: 'Files listed above the signature' });
    expect(await block.innerText()).toMatch(/\(PDF, 1 KB\), until [A-Z][a-z]{2} \d{1,2}, \d{4}$/);
    await row('Resume.pdf').getByRole('combobox', { name: 'Available for' }).click();
    await page.getByRole('option', { name: '7 days' }).click();
  });

  it('are chosen, placed and named by keyboard', async () => {
    await files().getByRole('button', { name: 'Choose from Library' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Choose from Library' });
    await dialog.getByText('In this email').first().waitFor();
    await lookWithKeyboard(page, 'send-files-library');
    await dialog.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const place = row(`${LONG_NAME}.pdf`).getByRole('button', { name: 'Place in the text' });
    await place.focus();
    await page.keyboard.press('Enter');
    const chip = page.getByRole('textbox', { name: 'Email content' }).locator('[data-file-link]').last();
    await chip.waitFor();
    // The left arrow selects the chip, and Enter opens its popover.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const popover = page.getByRole('dialog', { name: 'Link to a file' });
    await popover.getByLabel('Text').fill('another resume');
    await look('send-file-link');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Email content' }).getByText('another resume').waitFor();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await files().getByRole('list', { name: 'Files listed above the signature' }).waitFor();
  });

  it('stay with the draft on another device', async () => {
    await page
      .getByText(/^Saved/)
      .first()
      .waitFor();
    await page.waitForURL(/\/send\/[0-9a-f-]{36}/);
    await page.reload();
    await row('Resume.pdf').getByText('Ready').waitFor();
    expect(await row('Resume.pdf').getByRole('combobox', { name: 'Available for' }).innerText()).toBe('7 days');
  });

  it('go out as they were shown', async () => {
    await page.getByRole('button', { name: 'Next' }).click();
    const sheet = page.frameLocator('iframe').first();
    await sheet.getByRole('link', { name: 'Resume', exact: true }).waitFor();
    await sheet.getByText('Files', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send Email' }).click();
    await page.getByText('Email Sent Successfully!').first().waitFor();
    const mail = await mailTo(product.mailboxUrl, READER, ({ subject }) => subject === 'Java hotlist');
    // In the text part the link is in parentheses.
    link = linkIn(mail, '/files/').replace(/\).*$/, '');
    expect(mail.text).toContain(`Files\n- ${LONG_NAME} (PDF, 1 KB), until `);
  });
});

describe('the page of a link', () => {
  it('shows the file and downloads it, byte for byte', async () => {
    await reader.page.goto(link);
    await reader.page.getByRole('heading', { level: 1, name: 'Resume.pdf' }).waitFor();
    await reader.page.getByText(/Shared by .+, Northline until/).waitFor();
    await lookWithKeyboard(reader.page, 'shared-file');
    await reader.page.setViewportSize({ width: 320, height: 640 });
    expect(await reader.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await reader.page.setViewportSize(VIEWPORTS[0]!);
    const coming = reader.page.waitForEvent('download');
    await reader.page.getByRole('button', { name: 'Download' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe('Resume.pdf');
    const bytes = await readFile(await download.path());
    expect(bytes.equals(pdf('Resume.pdf').buffer)).toBe(true);
    await reader.page.getByText('The download has begun.').waitFor();
  });

  it('reports the file after a question', async () => {
    await reader.page.getByRole('button', { name: 'Report this file' }).click();
    await lookAt(reader.page, 'shared-file-report');
    await reader.page.getByRole('button', { name: 'Report', exact: true }).click();
    await reader.page.getByText(/^Thank you\./).waitFor();
  });

  it('says that a link is not valid', async () => {
    await reader.page.goto(`${product.url}/files/${'x'.repeat(43)}`);
    await reader.page.getByRole('heading', { level: 1, name: 'This link is not valid' }).waitFor();
    await lookAt(reader.page, 'shared-file-unknown');
  });
});

describe('the files of the Library', () => {
  it('count the download, and list the link of the email', async () => {
    await page.goto(`${product.url}/library?tab=files`);
    await page.getByText('1 by people, 0 automatic').first().waitFor();
    await page.getByText(/ of 200 MB used$/).waitFor();
    await lookWithKeyboard(page, 'library-files');
    await page.getByRole('button', { name: 'Resume.pdf', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Resume.pdf' });
    await dialog.getByRole('listitem', { name: 'Java hotlist' }).waitFor();
    await lookWithKeyboard(page, 'library-file');
    await dialog.getByRole('button', { name: 'Extend link in Java hotlist' }).click();
    await page.getByRole('menuitem', { name: '90 days from now' }).click();
    await page
      .getByText(/^The link works until/)
      .first()
      .waitFor();
  });

  it('are replaced: the link leads to the new version under its name', async () => {
    // A reported file stays as it is until an admin has decided.
    const [reported] = await admin.call<{ id: string }[]>('GET', '/api/admin/files');
    await admin.call('POST', `/api/admin/files/${reported!.id}/dismiss`, { reason: 'Harmless' });
    const dialog = page.getByRole('dialog', { name: 'Resume.pdf' });
    await dialog.getByRole('button', { name: 'Replace' }).click();
    const asked = page.getByRole('dialog', { name: 'Replace "Resume.pdf"' });
    await asked.getByText('Links in 1 sent email lead to the new version. Its name stays.').waitFor();
    await look('library-replace');
    await page.getByLabel('New version').setInputFiles(pdf('v2.pdf', 'the second version'));
    await page.getByText('Resume.pdf was replaced.').first().waitFor();
    await reader.page.goto(link);
    const coming = reader.page.waitForEvent('download');
    await reader.page.getByRole('button', { name: 'Download' }).click();
    expect((await coming).suggestedFilename()).toBe('Resume.pdf');
  });

  it('stop a link for good: its page says so, and whom to ask', async () => {
    const dialog = page.getByRole('dialog', { name: 'Resume.pdf' });
    await dialog.getByRole('button', { name: 'Stop link in Java hotlist' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Stop the link in "Java hotlist"?' });
    await asked.getByRole('button', { name: 'Stop link' }).click();
    await dialog.getByText('Stopped').waitFor();
    await reader.page.goto(link);
    await reader.page.getByRole('heading', { level: 1, name: 'This file is no longer available.' }).waitFor();
    expect(await reader.page.getByRole('link', { name: /^Ask / }).getAttribute('href')).toBe(`mailto:${SENDER}`);
    await lookAt(reader.page, 'shared-file-gone');
  });

  it('are shown with the send, and come back with Duplicate', async () => {
    await page.goto(`${product.url}/history`);
    await page.getByRole('link', { name: 'Java hotlist' }).click();
    await page.getByText('PDF, 1 KB, downloads: 2 by people, 0 automatic').waitFor();
    await look('history-files');
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL(/\/send\/[0-9a-f-]{36}/);
    await page.goto(`${page.url().split('?')[0]}?step=3`);
    await row('Resume.pdf').getByText('Ready').waitFor();
  });

  it('that are deleted elsewhere are told in the draft that has them', async () => {
    const other = await page.context().newPage();
    await other.goto(`${product.url}/library?tab=files`);
    await other.getByRole('button', { name: 'Actions for Resume.pdf' }).click();
    await other.getByRole('menuitem', { name: 'Delete' }).click();
    const asked = other.getByRole('alertdialog', { name: 'Delete "Resume.pdf"?' });
    await asked.getByText(/Links in 1 sent email stop working\./).waitFor();
    await asked.getByRole('button', { name: 'Delete' }).click();
    await asked.waitFor({ state: 'detached' });
    await other.close();
    await files().getByText('This file was deleted. Remove it or choose another.').waitFor();
    await look('send-file-deleted');
  });
});

describe('a reported file', () => {
  it('is taken down by an admin, who is told that nothing is scanned', async () => {
    const { page: desk, faults: deskFaults } = await stage.device();
    await toStep3('Second');
    await page.getByLabel('Files to add').setInputFiles(pdf('Other.pdf'));
    await row('Other.pdf').getByText('Ready').waitFor();
    await page.getByRole('textbox', { name: 'Email content' }).click();
    await page.keyboard.type('Hello');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Send Email' }).click();
    const mail = await mailTo(product.mailboxUrl, READER, ({ subject }) => subject === 'Second');
    const other = linkIn(mail, '/files/');
    await reader.page.goto(other);
    await reader.page.getByRole('button', { name: 'Report this file' }).click();
    await reader.page.getByRole('button', { name: 'Report', exact: true }).click();
    await reader.page.getByText(/^Thank you\./).waitFor();

    await signIn(desk, product, ADMIN);
    await answerWelcome(desk);
    await desk.goto(`${product.url}/admin?tab=files`);
    await desk.getByRole('tab', { name: 'Reported files (1)' }).waitFor();
    await lookWithKeyboard(desk, 'admin-reported-files');
    await desk.getByRole('button', { name: 'Take down Other.pdf' }).click();
    const asked = desk.getByRole('alertdialog', { name: 'Take file down' });
    await asked.getByLabel(/^Reason/).fill('Not theirs to share');
    await lookAt(desk, 'admin-take-down');
    await asked.getByRole('button', { name: 'Take down' }).click();
    await desk.getByText('File Taken Down').first().waitFor();
    await reader.page.goto(other);
    await reader.page.getByRole('heading', { level: 1, name: 'This file is no longer available.' }).waitFor();
    await desk.goto(`${product.url}/admin/operations`);
    await desk.getByText('Uploaded files are not scanned').waitFor();
    await lookAt(desk, 'admin-operations-unscanned');
    await page.goto(`${product.url}/library?tab=files`);
    await page.getByText('Taken down').first().waitFor();

    expect([...faults, ...reader.faults, ...deskFaults]).toEqual([]);
  });
});
