import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pdf } from '../../../backend/test/kit/uploads.ts';
import { clipboardHtml, paste } from '../kit/clipboard.ts';
import { SMALL_PICTURE } from '../kit/seed.ts';
import { until } from '../kit/until.ts';
import type { Run } from './run.ts';

export const SUBJECT = 'Lead Java Developer | Hartford, CT (Hybrid) | $65-70/hr C2C | 12+ months';
export const RESUME = 'Resume Asha.pdf';
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

/** Fills in the business address in the settings. */
export async function fillProfile(run: Run): Promise<void> {
  const { page, hands } = run;
  await run.go('Settings');
  const sender = page.getByRole('region', { name: 'Sender profile', exact: true });
  await hands.fill(sender.getByLabel(/^Title/), 'Senior recruiter');
  await hands.fill(sender.getByLabel('Street address'), '12 Main Street');
  await hands.fill(sender.getByLabel('City'), 'Hartford');
  await hands.fill(sender.getByLabel('State'), 'CT');
  await hands.fill(sender.getByLabel('Postal code'), '06103');
  await hands.press(sender.getByRole('button', { name: 'Save changes' }));
  await page.getByText('Sender Profile Updated!').first().waitFor();
}

/** Adds a signature and a logo in the settings. */
export async function addLook(run: Run): Promise<void> {
  const { page, api, hands } = run;
  const emails = page.getByRole('region', { name: 'Look of your emails', exact: true });
  await run.choose(emails.getByRole('button', { name: 'Upload logo' }), {
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: SMALL_PICTURE,
  });
  await emails.getByRole('img', { name: 'Your logo' }).waitFor();
  await hands.press(emails.getByRole('button', { name: 'Use my details' }));
  await emails.getByRole('textbox', { name: 'Signature' }).getByText('Senior recruiter').waitFor();
  await hands.press(emails.getByRole('button', { name: 'Save changes' }));
  await until('the look is saved', async () => {
    const { showLogo } = await api.call<{ showLogo: boolean }>('GET', '/api/sender-profile');
    return showLogo;
  });
  await run.fits();
  await run.look('settings');
}

/** Chooses the list, pastes a requirement, and corrects one of its guesses. */
export async function pasteRequirement(run: Run): Promise<void> {
  const { page, next, field, hands } = run;
  await run.go('Send Email');
  await hands.tick(page.getByRole('checkbox', { name: /Java vendors/ }));
  await run.fits();
  await next();
  await page.getByText('Step 2 of 4').waitFor();
  await hands.press(page.getByRole('button', { name: 'Paste a requirement' }));
  const dialog = page.getByRole('dialog', { name: 'Paste a requirement' });
  await hands.fill(dialog.getByLabel('Paste the requirement as you got it'), REQUIREMENT);
  await hands.press(dialog.getByRole('button', { name: 'Read it' }));
  await dialog
    .getByText(/the client's name \(Riverbank Insurance, Inc\.\)\./)
    .first()
    .waitFor();
  await run.fits();
  await run.look('requirement');
  await hands.fill(dialog.getByLabel('Rate', { exact: true }), '$65-70/hr');
  await hands.press(dialog.getByRole('button', { name: 'Use it' }));
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Subject line').inputValue()).toBe(SUBJECT);
  await run.fits();
  await run.look('subject');
  await next();
  await field().getByText('Our client rebuilds its claims services.').waitFor();
  expect(await field().textContent()).not.toMatch(/Riverbank|ravi\.menon/);
}

/** Pastes from Outlook, inserts two merge tags and an insecure link, and adds a résumé as a link. */
export async function completeContent(run: Run): Promise<void> {
  const { page, field, hands } = run;
  const greeting = field().getByText('Hi Marco,');
  await hands.putCursorAfter(field().getByText('Our client rebuilds its claims services.'));
  await page.keyboard.press('Enter');
  await paste(field(), clipboardHtml('outlook/win-hotlist.html'), 'the same as text');
  // Waits for any note, so that a paste into another place fails at once and says what was pasted.
  const note = page.getByText(/^Pasted as /);
  await note.waitFor();
  expect(await note.textContent()).toMatch(/^Pasted as text, lists and tables\./);
  await field().getByText('Asha R.').waitFor();
  expect(await field().locator('li').count()).toBe(2);
  await hands.putCursorAfter(greeting);
  await page.keyboard.type(' {{first');
  await hands.press(page.getByRole('option', { name: /^First name/ }));
  await hands.press(field().getByText('First name · there'));
  await hands.fill(page.getByLabel('If empty, say'), 'all');
  await hands.press(page.getByRole('button', { name: 'Apply' }));
  await field().getByText('First name · all').waitFor();
  await hands.putCursorAfter(greeting);
  await page.keyboard.type(' of the family {{last');
  await hands.press(page.getByRole('option', { name: /^Last name/ }));
  await page.keyboard.type(', see http://northline.example/board for more.');
  await run.choose(page.getByRole('button', { name: 'Add files' }), {
    name: RESUME,
    mimeType: 'application/pdf',
    buffer: pdf(),
  });
  const file = page.getByRole('list', { name: 'Files of this email' }).getByRole('listitem', { name: RESUME });
  await file.getByText('Ready').waitFor();
  await hands.press(file.getByRole('button', { name: 'Place in the text' }));
  await file.getByRole('button', { name: 'Place again' }).waitFor();
  await run.saved();
  await run.fits();
  await run.look('content');
}

/** Continues in another browser, and resolves a conflict with a third device. */
export async function continueElsewhere(run: Run): Promise<void> {
  const { api, field, saved, hands } = run;
  const id = run.draftId();
  await run.page.close();
  const continueOn = async (page: Page) => {
    await run.go('Send Email', page);
    await page.getByText(/^You have 1 draft\./).waitFor();
    await hands.press(page.getByRole('link', { name: 'Continue' }));
    await page.waitForURL(new RegExp(id));
    await page.getByText('Step 3 of 4').waitFor();
  };
  run.page = await run.signedIn();
  const { page } = run;
  await continueOn(page);
  await field().getByText('First name · all').waitFor();
  const third = await run.signedIn();
  await continueOn(third);
  await hands.press(third.getByRole('button', { name: 'Previous' }));
  await hands.fill(third.getByLabel('Subject line'), 'Changed on the third device');
  await saved(third);
  await hands.putCursorAfter(field().getByText('All of them have:'));
  await page.keyboard.type(' Thanks!');
  const asked = page.getByRole('alertdialog', { name: 'This draft was changed elsewhere' });
  await asked.waitFor();
  await run.fits();
  await run.look('conflict');
  await hands.press(asked.getByRole('button', { name: 'Keep mine' }));
  await asked.waitFor({ state: 'detached' });
  await saved();
  expect((await api.call<{ subject: string }>('GET', `/api/drafts/${id}`)).subject).toBe(SUBJECT);
  await third.close();
}
