import { expect } from '@jest/globals';
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
export async function fillProfile({ page, url }: Run): Promise<void> {
  await page.goto(`${url}/settings#sender`);
  const sender = page.getByRole('region', { name: 'Sender profile', exact: true });
  await sender.getByLabel(/^Title/).fill('Senior recruiter');
  await sender.getByLabel('Street address').fill('12 Main Street');
  await sender.getByLabel('City').fill('Hartford');
  await sender.getByLabel('State').fill('CT');
  await sender.getByLabel('Postal code').fill('06103');
  await sender.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Sender Profile Updated!').first().waitFor();
}

/** Adds a signature and a logo in the settings. */
export async function addLook({ page, api }: Run): Promise<void> {
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
}

/** Chooses the list, and pastes a requirement of which one guess is corrected. */
export async function pasteRequirement(run: Run): Promise<void> {
  const { page, url, next, field } = run;
  await page.goto(`${url}/send`);
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
  await run.fits();
  await dialog.getByLabel('Rate', { exact: true }).fill('$65-70/hr');
  await dialog.getByRole('button', { name: 'Use it' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Subject line').inputValue()).toBe(SUBJECT);
  await next();
  await field().getByText('Our client rebuilds its claims services.').waitFor();
  expect(await field().textContent()).not.toMatch(/Riverbank|ravi\.menon/);
}

/** Sets the cursor to the end of the line with the pasted greeting. Its middle may be a chip, which a click would open. */
async function atGreeting({ page, field }: Run): Promise<void> {
  await field()
    .getByText('Hi Marco,')
    .click({ position: { x: 4, y: 8 } });
  await page.keyboard.press('End');
}

/** Pastes from Outlook, inserts two merge tags and an insecure link, and adds a résumé as a link. */
export async function completeContent(run: Run): Promise<void> {
  const { page, field } = run;
  await field().getByText('Our client rebuilds its claims services.').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await paste(field(), clipboardHtml('outlook/win-hotlist.html'), 'the same as text');
  await page.getByText(/^Pasted as text, lists and tables\./).waitFor();
  await field().getByText('Asha R.').waitFor();
  expect(await field().locator('li').count()).toBe(2);
  await atGreeting(run);
  await page.keyboard.type(' {{first');
  await page.getByRole('option', { name: /^First name/ }).waitFor();
  await page.keyboard.press('Enter');
  await field().getByText('First name · there').click();
  await page.getByLabel('If empty, say').fill('all');
  await page.getByRole('button', { name: 'Apply' }).click();
  await field().getByText('First name · all').waitFor();
  await atGreeting(run);
  await page.keyboard.type(' of the family {{last');
  await page.getByRole('option', { name: /^Last name/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type(', see http://northline.example/board for more.');
  await page.getByLabel('Files to add').setInputFiles({ name: RESUME, mimeType: 'application/pdf', buffer: pdf() });
  const file = page.getByRole('list', { name: 'Files of this email' }).getByRole('listitem', { name: RESUME });
  await file.getByText('Ready').waitFor();
  await file.getByRole('button', { name: 'Place in the text' }).click();
  await file.getByRole('button', { name: 'Place again' }).waitFor();
  await run.saved();
  await run.fits();
  await run.look('content');
}

/** Continues in another browser, and settles a conflict with a third device. */
export async function continueElsewhere(run: Run): Promise<void> {
  const { api, url, field, saved } = run;
  const id = run.draftId();
  await run.page.close();
  run.page = await run.signedIn();
  const { page } = run;
  await page.goto(`${url}/send`);
  await page.getByText(/^You have 1 draft\./).waitFor();
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.waitForURL(new RegExp(id));
  await field().getByText('First name · all').waitFor();
  const third = await run.signedIn();
  await third.goto(`${url}/send/${id}?step=2`);
  await third.getByLabel('Subject line').fill('Changed on the third device');
  await saved(third);
  await field().press('Control+End');
  await page.keyboard.type(' Thanks!');
  const asked = page.getByRole('alertdialog', { name: 'This draft was changed elsewhere' });
  await run.fits();
  await asked.getByRole('button', { name: 'Keep mine' }).click();
  await asked.waitFor({ state: 'detached' });
  await saved();
  expect((await api.call<{ subject: string }>('GET', `/api/drafts/${id}`)).subject).toBe(SUBJECT);
  await third.close();
}
