import { expect } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { verifyDkim } from '../../../backend/test/integration/email/verify-dkim.ts';
import { linkIn, type Mail, mailsTo, mailTo, sourceOf } from '../kit/mailbox.ts';
import { DKIM_DOMAIN, DNS, type Run } from './run.ts';
import { RESUME, SUBJECT } from './writing.ts';

const check = ({ page }: Run): Locator => page.getByRole('region', { name: 'Check', exact: true });
const row = (run: Run, words: RegExp): Locator => check(run).getByRole('listitem').filter({ hasText: words });

/** Previews the message for each recipient, on a phone, and as plain text. */
export async function preview(run: Run): Promise<void> {
  const { page, next, nameless, hands } = run;
  await next();
  const frame = page.frameLocator('iframe');
  await page.getByText(/^Recipient 1 of 2 · /).waitFor();
  await hands.press(page.getByRole('button', { name: 'Next recipient' }));
  await page.getByText(/^Recipient 2 of 2 · /).waitFor();
  await hands.tick(page.getByRole('checkbox', { name: /^Only those with an empty tag/ }));
  await page.getByText(new RegExp(`^Recipient 1 · ${nameless}`)).waitFor();
  await frame
    .getByText(/Hi Marco, all of the family/)
    .first()
    .waitFor();
  await hands.press(page.getByRole('button', { name: 'Phone' }));
  await frame.getByText('Asha R.').first().waitFor();
  await hands.press(page.getByRole('button', { name: 'Plain text' }));
  await page
    .getByText(/Our client rebuilds its claims services/)
    .first()
    .waitFor();
  await hands.press(page.getByRole('button', { name: 'Desktop' }));
  await run.fits();
  await run.look('preview');
}

/** Sends a test to the sender's own mailbox. */
export async function sendTest(run: Run): Promise<void> {
  const { page, mailboxUrl, sender, hands } = run;
  await hands.press(page.getByRole('button', { name: 'Send a test' }));
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await hands.press(dialog.getByRole('button', { name: 'Send test' }));
  await page.getByText('Test sent to 1 address').first().waitFor();
  const test = await mailTo(mailboxUrl, sender, ({ subject }) => subject === `[Test] ${SUBJECT}`);
  for (const part of [test.html, test.text]) {
    expect(part).toContain('Our client rebuilds its claims services.');
    expect(part).toContain('12 Main Street, Hartford, CT 06103');
  }
  await dialog.getByText('Accepted by the mail server').waitFor();
  await run.look('test');
  await hands.press(dialog.getByRole('button', { name: 'Close' }));
  await dialog.waitFor({ state: 'detached' });
}

/** Fixes two findings of the check with the buttons in their rows. */
export async function mendFindings(run: Run): Promise<void> {
  const { page, field, next, hands } = run;
  await page.getByText('Reaches 2 of 3 addresses.').waitFor();
  await row(run, /discrimination under US law/).waitFor();
  await row(run, /not encrypted/).waitFor();
  await hands.press(check(run).getByRole('button', { name: 'Use https' }));
  await row(run, /not encrypted/).waitFor({ state: 'detached' });
  await hands.press(row(run, /Last name is empty for 1 of/).getByRole('button', { name: 'Add fallback' }));
  await page.getByRole('dialog', { name: 'Last name' }).waitFor();
  await page.keyboard.type('Vendor');
  await page.keyboard.press('Enter');
  await field().getByText('Last name · Vendor').waitFor();
  await next();
  await row(run, /Last name is empty/).waitFor({ state: 'detached' });
  await page.getByText('Reaches 2 of 3 addresses.').waitFor();
}

/** Sends the email. Its mails differ only in the names, are signed, and allow unsubscribing with one click. */
export async function send(run: Run): Promise<void> {
  const { page, api, mailboxUrl, reader, nameless, left, listId, hands } = run;
  await hands.press(page.getByRole('button', { name: 'Send Email' }));
  await page.getByText('Email Sent Successfully!').first().waitFor();
  const meant = ({ subject }: Mail) => subject === SUBJECT;
  run.mails = (await Promise.all([reader, nameless].map((to) => mailTo(mailboxUrl, to, meant)))) as typeof run.mails;
  expect(await mailsTo(mailboxUrl, left, 0)).toEqual([]);
  const [named, unnamed] = run.mails;
  expect(named.text).toContain('Hi Marco, Priya of the family Patel, see https://northline.example/board');
  expect(unnamed.text).toContain('Hi Marco, all of the family Vendor, see https://northline.example/board');
  const common = (text: string) =>
    text
      .replace(/(?:Priya|all) of the family (?:Patel|Vendor)/g, 'NAMES')
      .replace(/https?:\/\/\S*\/(?:unsubscribe|never-ask)\/\S*/g, 'LINK')
      .replaceAll(reader, 'TO')
      .replaceAll(nameless, 'TO');
  expect(common(named.text)).toBe(common(unnamed.text));
  expect(common(named.html)).toBe(common(unnamed.html));
  for (const mail of run.mails) {
    const source = await sourceOf(mailboxUrl, mail);
    expect(await verifyDkim(source, DNS)).toMatchObject({ verdict: 'pass', domain: DKIM_DOMAIN });
  }
  const source = (await sourceOf(mailboxUrl, unnamed)).replace(/\r\n[ \t]/g, ' ');
  expect(source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const [, leave = ''] = /^List-Unsubscribe: <(\S+)>/m.exec(source) ?? [];
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(leave, { method: 'POST', body })).status).toBe(200);
  const again = { emailListIds: [listId], emailType: 'job-post', subject: 'Again', content: 'Hello' };
  const { recipientCount } = await api.call<{ recipientCount: string }>('POST', '/api/send-email/preview', again);
  expect(recipientCount).toBe('1');
}

/** Downloads the file from its page as a reader would. The Library then counts one download by a person. */
export async function download(run: Run): Promise<void> {
  const { page, mails, hands } = run;
  const reader = await run.device();
  await reader.goto(linkIn(mails[0], '/files/'));
  await reader.getByRole('heading', { name: RESUME }).waitFor();
  await run.look('file', reader);
  const [saved] = await Promise.all([
    reader.waitForEvent('download'),
    hands.press(reader.getByRole('button', { name: 'Download' })),
  ]);
  expect(saved.suggestedFilename()).toBe(RESUME);
  await reader.close();
  await run.go('Library');
  await hands.press(page.getByRole('tab', { name: 'Files' }));
  await page.getByText('1 by people, 0 automatic').first().waitFor();
}

/** Saves the sent email as a template, and begins a draft from it. */
export async function duplicate(run: Run): Promise<void> {
  const { page, api, draftId, hands } = run;
  await run.go('History');
  await hands.press(page.getByRole('link', { name: `View ${SUBJECT}` }));
  await page.getByRole('heading', { level: 1, name: SUBJECT }).waitFor();
  await run.fits();
  await run.look('history');
  await hands.press(page.getByRole('button', { name: 'Save as template' }));
  const naming = page.getByRole('dialog', { name: 'Save as template' });
  await hands.fill(naming.getByLabel('Name'), 'Lead Java, Hartford');
  await hands.press(naming.getByRole('button', { name: 'Save template' }));
  await page.getByText('Template Saved!').first().waitFor();
  await hands.press(page.getByRole('button', { name: 'Duplicate', exact: true }));
  await page.waitForURL(/\/send\/[0-9a-f-]{36}/);
  const copy = await api.call<{ subject: string; files: unknown[]; job: { title: string } }>(
    'GET',
    `/api/drafts/${draftId()}`,
  );
  expect(copy).toMatchObject({ subject: SUBJECT, job: { title: 'Lead Java Developer' } });
  expect(copy.files).toHaveLength(1);
}

/** Deletes the file. The page of its link then says so, and whom to ask. */
export async function deleteFile(run: Run): Promise<void> {
  const { page, mails, hands } = run;
  await run.go('Library');
  await hands.press(page.getByRole('tab', { name: 'Files' }));
  await run.fits();
  await run.look('files');
  await hands.press(page.getByRole('button', { name: `Actions for ${RESUME}` }));
  await hands.press(page.getByRole('menuitem', { name: 'Delete' }));
  const asked = page.getByRole('alertdialog', { name: `Delete "${RESUME}"?` });
  await asked.getByText(/Links in 1 sent email stop working\./).waitFor();
  await hands.press(asked.getByRole('button', { name: 'Delete' }));
  await asked.waitFor({ state: 'detached' });
  const reader = await run.device();
  await reader.goto(linkIn(mails[0], '/files/'));
  await reader.getByText('This file is no longer available.').waitFor();
  await reader.getByRole('link', { name: /^Ask Dana/ }).waitFor();
  await run.look('file-gone', reader);
}
