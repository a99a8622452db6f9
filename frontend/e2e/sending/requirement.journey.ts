import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import type { Api } from '../kit/api.ts';
import { answerWelcome } from '../kit/browser.ts';
import { look as lookAt, lookWithKeyboard } from '../kit/look.ts';
import type { Product } from '../kit/product.ts';
import { seedContacts, sql } from '../kit/seed.ts';
import { openStage, type Stage } from '../kit/stage.ts';
import { until } from '../kit/until.ts';
import { contentField, draftIdOf, draftSaved, nextStep } from '../kit/wizard.ts';

const SENDER = 'dana.okafor@requirement.example';

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
  await seedContacts(product, slug, [{ email: 'priya@requirement.example', name: 'Priya Patel' }]);
  await signIn(page, product, SENDER);
  await answerWelcome(page);
});

afterAll(() => stage?.close());
const look = (name: string) => lookAt(page, name);

const REQUIREMENT = `Hi,
Please share profiles for the role below.

Job Title: Sr Java Developer
Location: Hartford, CT (hybrid, 3 days a week)
Duration: 12+ months
Rate: $60/hr C2C
Visa: US citizens only
Must have: Java, Spring Boot, AWS

Thanks,
Ravi Menon
Vendor Systems
ravi.menon@vendor.example
(860) 555-0142`;

describe('making a job post of a requirement', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Paste a requirement' });
  const begin = async () => {
    await page.goto(`${product.url}/send`);
    await page.getByRole('checkbox', { name: /Java vendors/ }).check();
    await page.waitForURL(/\/send\/[0-9a-f-]{36}/);
    await nextStep(page);
  };

  it('shows what was read beside the text, and uses it as corrected', async () => {
    await begin();
    await page.getByRole('button', { name: 'Paste a requirement' }).click();
    await dialog().getByLabel('Paste the requirement as you got it').fill(REQUIREMENT);
    await look('requirement-paste');
    await dialog().getByRole('button', { name: 'Read it' }).click();
    await until(
      'the title',
      async () => (await dialog().getByLabel('Title', { exact: true }).inputValue()) === 'Sr Java Developer',
    );
    await dialog().getByLabel('Rate', { exact: true }).click();
    await dialog().locator('mark').filter({ hasText: '$60' }).waitFor();
    await dialog()
      .getByText(/^Left out: 1 e-mail address, 1 phone number/)
      .first()
      .waitFor();
    await dialog().getByRole('button', { name: 'Show', exact: true }).click();
    await dialog().getByRole('list', { name: 'Left out' }).getByText('ravi.menon@vendor.example').first().waitFor();
    await lookWithKeyboard(page, 'requirement-read');
    await dialog().getByRole('button', { name: 'Hide', exact: true }).click();
    await dialog().getByLabel('Title', { exact: true }).fill('Lead Java Developer');
    await dialog().getByLabel('Rate', { exact: true }).fill('$65-70/hr');
    await dialog().getByLabel('Duration', { exact: true }).focus();
    await until('the subject that is suggested for it', async () =>
      (await dialog().getByLabel('Suggested subject').inputValue()).startsWith('Lead Java Developer | Hartford, CT'),
    );
    await page.keyboard.press('Escape');
    const asked = page.getByRole('alertdialog', { name: 'Discard what was read?' });
    await look('requirement-discard');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    await dialog().getByRole('button', { name: 'Use it' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await page.getByLabel('Subject line').inputValue()).toMatch(
      /^Lead Java Developer \| Hartford, CT \(Hybrid\) \| \$65-70\/hr C2C/,
    );
    await draftSaved(page);
    await nextStep(page);
    await contentField(page).getByText('Lead Java Developer').waitFor();
    await look('requirement-used');
    const { job } = await api.call<{ job: { title: string } }>('GET', `/api/drafts/${draftIdOf(page)}`);
    expect(job).toMatchObject({ title: 'Lead Java Developer', baseSalary: { min: 65, max: 70, unit: 'HOUR' } });
    expect(await contentField(page).textContent()).not.toContain('ravi.menon');
    await nextStep(page);
    await page.getByText(/^Naming citizenship or visa types can be discrimination/).waitFor();
    await page.frameLocator('iframe').getByText('Lead Java Developer').first().waitFor();
    await page.getByRole('button', { name: 'Send Email' }).click();
    await page.getByText('Email Sent Successfully!').first().waitFor();
    const [sent] = await api.call<{ id: string }[]>('GET', '/api/email-history?limit=1');
    const entry = await api.call<{ job: { title: string } }>('GET', `/api/email-history/${sent!.id}`);
    expect(entry.job.title).toBe('Lead Java Developer');
  });

  it('works by keyboard alone', async () => {
    await begin();
    const opener = page.getByRole('button', { name: 'Paste a requirement' });
    await until('the focus on Paste a requirement', async () => {
      await page.keyboard.press('Tab');
      return opener.evaluate((button) => button === document.activeElement);
    });
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    await page.keyboard.insertText(REQUIREMENT);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const title = dialog().getByLabel('Title', { exact: true });
    await title.waitFor();
    expect(await title.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Staff Java Developer');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await until('the subject', async () =>
      (await page.getByLabel('Subject line').inputValue()).startsWith('Staff Java Developer'),
    );
  });

  it('causes no script error and no request to another host', () => {
    expect(faults).toEqual([]);
  });
});
