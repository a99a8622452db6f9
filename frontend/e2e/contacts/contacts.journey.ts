import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import { answerWelcome } from '../kit/browser.ts';
import { look } from '../kit/look.ts';
import { openStage, type Stage } from '../kit/stage.ts';

const OWNER = 'dana.okafor@contacts.example';

let stage: Stage;
let page: Page;

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const toast = (text: string) => page.locator('#toasts').getByText(text).first().waitFor();

beforeAll(async () => {
  stage = await openStage();
  ({ page } = stage);
  const api = await verified(stage.product, OWNER);
  const { id } = await api.call<{ id: string }>('POST', '/api/email-lists', { name: 'Java vendors' });
  for (const [email, name] of [
    ['priya@acme-staffing.example', 'Priya Patel'],
    ['marco@acme-staffing.example', 'Marco Rossi'],
    ['li@other-vendor.example', 'Li Wei'],
  ])
    await api.call('POST', `/api/email-lists/${id}/subscribers`, { email, name, subscriptionType: 'job-posts' });
  const [marco] = await api.call<{ id: string }[]>('GET', '/api/contacts?search=marco');
  await api.call('PATCH', `/api/contacts/${marco!.id}`, { lastName: '<script>Rossi</script>' });
  await api.call('POST', '/api/email-lists', { name: 'Bench partners' });
  await signIn(page, stage.product, OWNER);
  await answerWelcome(page);
});

afterAll(() => stage?.close());

describe('the contacts', () => {
  it('are listed once each, and found by a part of the address and by company', async () => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await heading('Contacts');
    await page.getByRole('link', { name: 'Marco <script>Rossi</script>' }).waitFor();
    await look(page, 'contacts');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('region', { name: 'Filters' }).getByLabel('Consent').waitFor();
    await look(page, 'contacts-filters');
    await page.getByRole('searchbox', { name: 'Search name, email, company...' }).fill('priya@ac');
    await page.getByRole('link', { name: 'Marco <script>Rossi</script>' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'acme-staffing.example' }).click();
    await page.getByRole('button', { name: /^Show all companies/ }).waitFor();
    expect(page.url()).toMatch(/q=priya.*domain=acme-staffing\.example/);
  });

  it('have a timeline, with notes; Back returns to the search', async () => {
    await page.getByRole('link', { name: 'Priya Patel' }).click();
    await heading('Priya Patel');
    await page.getByText('Added by hand').waitFor();
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByLabel('Note', { exact: true }).fill('Wants rates first.\nCall on Tuesdays.');
    await look(page, 'contact-note-dialog');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Call on Tuesdays.').waitFor();
    await look(page, 'contact-story');
    await page.getByLabel('Show', { exact: true }).click();
    await page.getByRole('option', { name: 'Messages' }).click();
    await page.getByText('Nothing of this kind yet.').waitFor();
    await page.goBack();
    await heading('Contacts');
    expect(await page.getByRole('searchbox').inputValue()).toBe('priya@ac');
    await page.goForward();
  });

  it('have each field saved when the focus leaves it, tags too', async () => {
    await heading('Priya Patel');
    await page.getByRole('tab', { name: 'Details' }).click();
    const company = page.getByLabel('Company', { exact: true });
    await company.fill('Acme Staffing');
    await company.press('Tab');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByLabel('Tags', { exact: true }).fill('Prime vendor');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Prime vendor' }).waitFor();
    await page.getByText('Vendor Manager').waitFor({ state: 'detached' });
    await look(page, 'contact-details');
    await page.reload();
    await heading('Priya Patel');
    expect(await page.getByLabel('Company', { exact: true }).inputValue()).toBe('Acme Staffing');
    await page.getByRole('button', { name: 'Prime vendor' }).waitFor();
  });

  it('are added to another list, and keep their page when they leave the last one', async () => {
    await page.getByRole('tab', { name: 'Lists' }).click();
    await page.getByRole('button', { name: 'Add to Bench partners' }).click();
    await page.getByRole('button', { name: 'Remove from Bench partners' }).click();
    await page.getByRole('button', { name: 'Add to Bench partners' }).waitFor();
    await page.getByRole('button', { name: 'Remove from Java vendors' }).click();
    await page.getByRole('button', { name: 'Add to Java vendors' }).waitFor();
    await page.getByText('On no list').waitFor();
    await look(page, 'contact-lists');
  });

  it('are changed in bulk', async () => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await heading('Contacts');
    await page.getByRole('checkbox', { name: 'Select all rows' }).click();
    const bar = page.getByRole('region', { name: 'Selected contacts' });
    await bar.getByText('3 selected').waitFor();
    await look(page, 'contacts-selected');
    await bar.getByRole('button', { name: 'Add tag' }).click();
    await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('Prime');
    await page.getByRole('option', { name: 'Prime vendor' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Add tag' }).click();
    await toast('Contacts Changed!');
    await page.getByRole('grid').getByText('Prime vendor').nth(2).waitFor();
    await page.getByRole('checkbox', { name: 'Select all rows' }).click();
    await bar.getByRole('button', { name: 'Set field' }).click();
    await page.getByRole('combobox', { name: 'Field', exact: true }).fill('Job');
    await page.getByRole('option', { name: 'Job title' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel('New value').fill('Vendor Manager');
    await look(page, 'contacts-set-field');
    await dialog.getByRole('button', { name: 'Set field' }).click();
    await page.getByRole('grid').getByText('Vendor Manager').nth(2).waitFor();
  });

  it('have custom fields, which the settings manage', async () => {
    await page.goto(`${stage.product.url}/settings#fields`);
    const fields = page.getByRole('region', { name: 'Contact fields' });
    await fields.getByRole('button', { name: 'Add field' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add field' });
    await dialog.getByLabel('Label').fill('Visa status');
    await dialog.getByLabel('Type').click();
    await page.getByRole('option', { name: 'One of several' }).click();
    await dialog.getByLabel('Choices').fill('H1B\nGC');
    await look(page, 'settings-field-dialog');
    await dialog.getByRole('button', { name: 'Add field' }).click();
    await fields.getByText('visa_status').waitFor();
    await look(page, 'settings-fields');
  });

  it('are deleted after a question', async () => {
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('link', { name: 'Li Wei' }).click();
    await page.getByRole('button', { name: 'Actions for Li Wei' }).click();
    await page.getByRole('menuitem', { name: 'Delete contact' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete contact' }).click();
    await toast('Contact Deleted!');
    await heading('Contacts');
    await page.getByRole('link', { name: 'Li Wei' }).waitFor({ state: 'detached' });
    expect(stage.faults).toEqual([]);
  });
});
