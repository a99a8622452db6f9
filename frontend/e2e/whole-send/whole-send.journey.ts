import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { enter, tabTo } from '../kit/keyboard.ts';
import { mailTo } from '../kit/mailbox.ts';
import type { Stage } from '../kit/stage.ts';
import { DESKTOP, KEYBOARD, openSendStage, PHONE, Run } from './run.ts';
import { deleteFile, download, duplicate, mendFindings, preview, send, sendTest } from './sending.ts';
import { addLook, completeContent, continueElsewhere, fillProfile, pasteRequirement } from './writing.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openSendStage();
});
afterAll(() => stage?.close());

describe.each([
  ['on a desktop, in light', DESKTOP],
  ['on a phone, in dark', PHONE],
])('one email from the sender’s details to the downloads of its résumé, %s', (_how, kind) => {
  let run: Run;
  beforeAll(async () => {
    run = await Run.start(kind, stage);
  });

  it('has a sender with an address and a logo', async () => {
    await fillProfile(run);
    await addLook(run);
  });

  it('begins with a requirement: one guess is corrected, its subject is suggested, its client stays untold', () =>
    pasteRequirement(run));

  it('goes on with a paste from Outlook, two merge tags and a résumé as a link', () => completeContent(run));

  it('continues in another browser, where a change on a third device has to be settled', () => continueElsewhere(run));

  it('is previewed as each recipient reads it, on a phone, and as plain text', () => preview(run));

  it('is tested: the mail is in the own mailbox', () => sendTest(run));

  it('is checked: two rows are mended by their buttons', () => mendFindings(run));

  it('reaches whom the forecast counted; the mails differ in the names only, are signed, and can be left with one press', () =>
    send(run));

  it('has a file that is downloaded from its page, once, by a person', () => download(run));

  it('is duplicated and becomes a template from the history', () => duplicate(run));

  it('loses its file when that is deleted, and the page of the link says so', () => deleteFile(run));

  it('causes no script error and no request to another host', () => {
    expect(run.faults.flat()).toEqual([]);
  });
});

describe('one email by keyboard alone, from the first step to the history', () => {
  const subject = 'Written without a mouse';
  let run: Run;
  beforeAll(async () => {
    run = await Run.start(KEYBOARD, stage);
    await fillProfile(run);
  });

  it('is written, with a tag from its menu and a list', async () => {
    const { page, url, field } = run;
    const next = () => enter(page, page.getByRole('button', { name: 'Next' }));
    await page.goto(`${url}/send`);
    await tabTo(page, page.getByRole('checkbox', { name: /Java vendors/ }));
    await page.keyboard.press('Space');
    await next();
    await page.getByText('Step 2 of 4').waitFor();
    await tabTo(page, page.getByLabel('Subject line'));
    await page.keyboard.type(subject);
    await next();
    await page.getByText('Step 3 of 4').waitFor();
    await tabTo(page, field());
    await page.keyboard.type('Hi {{');
    await page.getByRole('option', { name: /^First name/ }).waitFor();
    await page.keyboard.type('first');
    await page.keyboard.press('Enter');
    await page.keyboard.type(', we look for:');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Shift+8');
    await page.keyboard.type('Java');
    await page.keyboard.press('Enter');
    await page.keyboard.type('AWS');
    await field().getByText('First name · there').waitFor();
    expect(await field().locator('li').allTextContents()).toEqual(['Java', 'AWS']);
    await run.saved();
    await next();
    await page.getByText('Step 4 of 4').waitFor();
  });

  it('is looked at, and a time is chosen and given up by the arrows', async () => {
    const { page } = run;
    await page.getByText(/^Recipient 1 of 2 · /).waitFor();
    await enter(page, page.getByRole('button', { name: 'Next recipient' }));
    await page.getByText(/^Recipient 2 of 2 · /).waitFor();
    await tabTo(page, page.getByRole('radio', { name: 'Now' }));
    await page.keyboard.press('ArrowDown');
    await page.getByText(/^Leaves /).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByText(/^Leaves /).waitFor({ state: 'detached' });
    await page.getByText('Reaches 2 of 3 addresses.').waitFor();
    await run.look('preview');
  });

  it('is sent, and opened in the history', async () => {
    const { page, mailboxUrl, reader } = run;
    await enter(page, page.getByRole('button', { name: 'Send Email' }));
    await page.getByText('Email Sent Successfully!').first().waitFor();
    const mail = await mailTo(mailboxUrl, reader, (one) => one.subject === subject);
    expect(mail.text).toContain('Hi Priya, we look for:');
    await page.waitForURL(/\/history$/);
    await enter(page, page.getByRole('link', { name: `View ${subject}` }));
    await page.getByRole('heading', { level: 1, name: subject }).waitFor();
    await run.look('history');
    expect(run.faults.flat()).toEqual([]);
  });
});
