import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import type { Api } from '../kit/api.ts';
import { answerWelcome } from '../kit/browser.ts';
import { look } from '../kit/look.ts';
import { openStage, type Stage } from '../kit/stage.ts';

const OWNER = 'dana.okafor@segments.example';
/** Highest number of Tab presses between two controls of the builder. */
const MAX_TAB_PRESSES = 40;

let stage: Stage;
let page: Page;
let api: Api;

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const toast = (text: string) => page.locator('#toasts').getByText(text).first().waitFor();

/** Presses Tab until a control has the focus. */
async function tabTo(name: string): Promise<void> {
  for (let step = 0; step < MAX_TAB_PRESSES; step++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
      const of = element?.getAttribute('aria-labelledby')?.split(' ') ?? [];
      const labelled = of.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
      return [element?.getAttribute('aria-label'), label, labelled, element?.textContent].filter(Boolean).join('|');
    });
    if (focused.split('|').some((one) => one.trim().startsWith(name))) return;
  }
  throw new Error(`${name} does not come within ${MAX_TAB_PRESSES} steps of Tab`);
}

/** Types into the focused list of options and chooses the first match. */
async function choose(text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.getByRole('option', { name: text, exact: true }).first().waitFor();
  await page.keyboard.press('Enter');
}

beforeAll(async () => {
  stage = await openStage();
  ({ page } = stage);
  api = await verified(stage.product, OWNER);
  const { id: list } = await api.call<{ id: string }>('POST', '/api/email-lists', { name: 'Java vendors' });
  const { id: tag } = await api.call<{ id: number }>('POST', '/api/contact-tags', { name: 'Java' });
  for (const [email, firstName, region] of [
    ['priya@first.segments.example', 'Priya', 'TX'],
    ['marco@first.segments.example', 'Marco', 'OK'],
    ['li@other.segments.example', 'Li', 'TX'],
  ] as const)
    await api.call('POST', '/api/contacts', {
      email,
      firstName,
      region,
      listIds: [list],
      ...(firstName !== 'Li' && { tags: [tag] }),
    });
  await signIn(page, stage.product, OWNER);
  await answerWelcome(page);
});

afterAll(() => stage?.close());

describe('the segments', () => {
  it('are empty at first', async () => {
    await page.goto(`${stage.product.url}/contacts`);
    await heading('Contacts');
    await page.getByRole('navigation', { name: 'Contacts' }).getByRole('link', { name: 'Segments' }).click();
    await heading('Segments');
    await page.getByText('No segments yet').waitFor();
    await look(page, 'segments-empty');
  });

  it('are built of three rules by keyboard alone, and counted meanwhile', async () => {
    await tabTo('New Segment');
    await page.keyboard.press('Enter');
    await heading('New Segment');
    await tabTo('Name');
    await page.keyboard.type('Java vendors in Texas');
    await tabTo('Field');
    await choose('Tags');
    await tabTo('Tags');
    await choose('Java');
    await page.keyboard.press('Escape');
    await page.getByText('2 contacts', { exact: true }).waitFor();
    await tabTo('Add rule');
    await page.keyboard.press('Enter');
    await choose('State or region');
    await tabTo('Value');
    await page.keyboard.type('tx');
    await page.getByText('1 contact', { exact: true }).waitFor();
    await tabTo('Add rule');
    await page.keyboard.press('Enter');
    await choose('Mailed');
    await page
      .getByText(/^Contacts where Tags has any of "Java" and State or region is "tx" and Mailed in the last 7 days\.$/)
      .waitFor();
    await page.getByText('0 contacts', { exact: true }).waitFor();
    await tabTo('in the last');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'not in the last … days' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('1 contact', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Some of them' }).getByRole('link', { name: 'Priya' }).waitFor();
    await look(page, 'segment-builder');
    await tabTo('Move rule 3 up');
    await page.keyboard.press('Enter');
    await page.getByText(/^Contacts where Tags .* and Mailed .* and State or region/).waitFor();
    await page.keyboard.press('Control+Home');
    await page.getByRole('button', { name: 'Save', exact: true }).focus();
    await page.keyboard.press('Enter');
    await toast('Segment Saved!');
    await heading('Java vendors in Texas');
    await page.getByRole('link', { name: 'Export CSV' }).waitFor();
    await page.getByRole('link', { name: 'Send to this segment' }).waitFor();
  });

  it('say what a rule lacks, and hold groups of three levels', async () => {
    await page.getByRole('button', { name: 'Add group' }).click();
    await page.getByRole('group', { name: 'Group 4', exact: true }).getByRole('button', { name: 'Add group' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Choose a value').first().waitFor();
    await page.getByText('Some rules have no value yet.').waitFor();
    await look(page, 'segment-groups');
    await page.getByRole('button', { name: 'Remove group 4', exact: true }).click();
  });

  it('are cards with their count, filter the contacts, and can be saved from the filters of the contacts', async () => {
    await page.goto(`${stage.product.url}/contacts/segments`);
    await page.getByText('1 contact', { exact: true }).waitFor();
    await look(page, 'segments');
    await page.getByRole('button', { name: 'Actions for Java vendors in Texas' }).click();
    await page.getByRole('menuitem', { name: 'Show contacts' }).click();
    await page.getByRole('link', { name: 'Priya' }).waitFor();
    expect(await page.getByRole('link', { name: 'Marco' }).count()).toBe(0);
    await page.goto(`${stage.product.url}/contacts?q=marco`);
    await page.getByRole('button', { name: 'Save as segment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as segment' });
    await dialog.getByLabel('Name').fill('Marco');
    await look(page, 'contacts-save-as-segment');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await heading('Marco');
    await page.getByText('1 contact', { exact: true }).waitFor();
  });

  it('say which of their parts were deleted', async () => {
    const [tag] = await api.call<{ id: number }[]>('GET', '/api/contact-tags');
    await api.call('DELETE', `/api/contact-tags/${tag!.id}`);
    await page.goto(`${stage.product.url}/contacts/segments`);
    await page.getByText('This segment uses the tag "Java", which no longer exists.').waitFor();
    await page.getByRole('link', { name: 'Java vendors in Texas' }).click();
    await page.getByText('The tag "Java" no longer exists').waitFor();
    await look(page, 'segment-broken');
    expect(stage.faults).toEqual([]);
  });
});
