import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { workbookOf } from '../../../backend/test/kit/workbooks.ts';
import { signIn, verified } from '../kit/accounts.ts';
import { answerWelcome } from '../kit/browser.ts';
import { look } from '../kit/look.ts';
import { openStage, type Stage } from '../kit/stage.ts';

const OWNER = 'dana.okafor@import.example';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

let stage: Stage;
let page: Page;

const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();
const people = (group: string) => page.getByRole('list', { name: group, exact: true });

beforeAll(async () => {
  stage = await openStage();
  ({ page } = stage);
  const api = await verified(stage.product, OWNER);
  await api.call('POST', '/api/email-lists', { name: 'Java vendors' });
  await signIn(page, stage.product, OWNER);
  await answerWelcome(page);
});

afterAll(() => stage?.close());

describe('an import', () => {
  it('of a line pasted from Outlook adds people with their names', async () => {
    await page.goto(`${stage.product.url}/contacts`);
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await heading('Import contacts');
    await look(page, 'import-start');
    await page
      .getByRole('textbox', { name: 'Paste rows' })
      .fill(
        'Carver, Lee <lee@acme-staffing.com>; "PATEL, PRIYA, PMP" <priya@acme-staffing.com>; maya@other-vendor.com',
      );
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('list', { name: 'Columns' }).waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Import 3 contacts' }).click();
    await heading(/^3 contacts added/);
    await page.getByRole('link', { name: 'Show these contacts' }).click();
    await page.getByRole('link', { name: 'Priya Patel' }).waitFor();
    await page.getByRole('link', { name: 'Lee Carver' }).waitFor();
  });

  it('of a workbook is mapped, checked and corrected before anything is written', async () => {
    const rows = [
      ['E-mail Address', 'Full Name', 'Firm', 'Tier'],
      ...Array.from({ length: 38 }, (_, n) => [`person${n}@gmial.com`, `Person ${n}`, 'Acme Staffing', 'Gold']),
      ['jobs@third-vendor.com', '', 'Third Vendor', 'Gold'],
      ['no address', 'Bob Roe', 'Acme Staffing', 'Silver'],
      ['person@mailinator.com', 'Eve', '', ''],
      ['lee@acme-staffing.com', 'Lee Carver', 'Acme Staffing', 'Gold'],
    ];
    await page.goto(`${stage.product.url}/contacts/import`);
    await page.getByLabel('File to import').setInputFiles({
      name: 'vendors.xlsx',
      mimeType: XLSX,
      buffer: await workbookOf([
        { name: 'Secret', state: 'hidden', rows: [['x']] },
        { name: 'Vendors', rows },
      ]),
    });
    await heading('vendors.xlsx');
    const columns = page.getByRole('list', { name: 'Columns' });
    await columns.getByText('Guessed').first().waitFor();
    await columns.getByRole('combobox', { name: 'Tier' }).click();
    await page.getByRole('option', { name: 'New field…' }).click();
    await page.getByRole('dialog', { name: 'Add field' }).getByRole('button', { name: 'Add field' }).click();
    await columns.getByRole('combobox', { name: 'Tier' }).getByText('Tier').waitFor();
    await page.getByLabel('Put them on').click();
    await page.getByRole('option', { name: 'Java vendors' }).click();
    await look(page, 'import-columns');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Nothing has been imported yet.').waitFor();
    await page.getByText('gmial.com, 38 rows: did you mean gmail.com?').waitFor();
    await page.getByRole('button', { name: 'Show the lines: Not an email address' }).click();
    await people('Not an email address').getByText('Line 41').waitFor();
    await look(page, 'import-check');
    await page.getByRole('button', { name: 'Fix all of gmial.com' }).click();
    await page.getByText('gmial.com, 38 rows').waitFor({ state: 'detached' });
    await page.getByText('Nothing has been imported yet.').waitFor();
    await page.getByRole('button', { name: 'Show the lines: Not an email address' }).click();
    await page.getByRole('button', { name: 'Correct line 41' }).click();
    await page.getByLabel('Address of line 41').fill('bob@acme-staffing.com');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Import 41 contacts$/ }).waitFor();
    const { contacts } = await counts();
    expect(contacts).toBe(3);
  });

  it('adds the people, and reports who was left out', async () => {
    await page.getByRole('button', { name: /^Import 41 contacts$/ }).click();
    await heading(/^40 contacts added/);
    await look(page, 'import-result');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the lines left out' }).click(),
    ]);
    const csv = await (await import('node:stream/consumers')).text(await download.createReadStream());
    expect(csv).toContain('person@mailinator.com');
    expect(csv).toContain('Disposable address');
    expect((await counts()).contacts).toBe(43);
  });

  it('is undone, and earlier contacts stay', async () => {
    await page.getByRole('button', { name: 'Undo this import' }).click();
    await page
      .getByRole('alertdialog')
      .getByText(/are not restored/)
      .waitFor();
    await look(page, 'import-undo-dialog');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo this import' }).click();
    await heading(/^Undone: 40 contacts removed, 1 contact you had before taken off the list/);
    expect((await counts()).contacts).toBe(3);
    await page.goto(`${stage.product.url}/contacts/import`);
    await page.getByText(/Undone: 40 contacts removed, 1 contact/).waitFor();
    await look(page, 'import-recent');
    expect(stage.faults).toEqual([]);
  });
});

/** Number of the account's contacts, by the same API call that the page makes. */
async function counts(): Promise<{ contacts: number }> {
  const total = await page.evaluate(async () => (await fetch('/api/contacts?limit=1')).headers.get('x-total-count'));
  return { contacts: Number(total) };
}
