import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import { answerWelcome } from '../kit/browser.ts';
import { look as lookAt } from '../kit/look.ts';
import { seedContacts } from '../kit/seed.ts';
import { openStage, type Stage } from '../kit/stage.ts';

const SENDER = 'sam.ortiz@schedule.example';
const SUBJECT = 'Java hotlist for Tuesday';
const PHONE = { width: 390, height: 844 };

let stage: Stage;
let page: Page;

beforeAll(async () => {
  stage = await openStage();
  ({ page } = stage);
  const { product } = stage;
  const api = await verified(product, SENDER);
  const list = await api.call<{ id: string; slug: string }>('POST', '/api/email-lists', { name: 'Java vendors' });
  await seedContacts(product, list.slug, [{ email: 'priya@vendor.schedule.example', name: 'Priya Patel' }]);
  const { id } = await api.call<{ id: string }>('POST', '/api/drafts', {
    emailListIds: [list.id],
    subject: SUBJECT,
    content: 'Five consultants, available now.',
    step: 4,
  });
  await signIn(page, product, SENDER);
  await answerWelcome(page);
  await page.setViewportSize(PHONE);
  await page.goto(`${product.url}/send/${id}?step=4`);
});

afterAll(() => stage?.close());

/** Checks the screen at both widths, and continues at the width of a phone. */
const look = async (name: string) => {
  await lookAt(page, name);
  await page.setViewportSize(PHONE);
};
const press = async (name: string) => {
  const button = page.getByRole('main').getByRole('button', { name, exact: true });
  await button.waitFor();
  await button.focus();
  await page.keyboard.press('Enter');
};
const actions = () => page.getByRole('button', { name: `Actions for ${SUBJECT}` });
/** Opens the menu of the email, and waits until an item has the focus. */
const openMenu = async () => {
  await actions().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
};

describe('a scheduled email, on a phone and by keyboard', () => {
  it('is scheduled on the last step', async () => {
    await page.getByRole('radio', { name: 'Now' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText(/^Leaves /).waitFor();
    await page.getByRole('group', { name: 'Time' }).getByRole('spinbutton', { name: 'Minutes' }).focus();
    await page.keyboard.type('17');
    await page.getByText(/^Leaves .*:17 [AP]M /).waitFor();
    await look('schedule-when');
    await press('Schedule Email');
    await page.getByText('Email Scheduled!').waitFor();
    await page.waitForURL(/\/scheduled$/);
    await page.getByRole('article').getByText('about 1 recipient').waitFor();
    await look('scheduled');
  });

  it('is edited before it leaves', async () => {
    await openMenu();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/send\?scheduled=/);
    const field = page.getByRole('textbox', { name: 'Email content' });
    await field.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' The rate is $60.');
    await press('Next');
    await press('Schedule Email');
    await page.waitForURL(/\/scheduled$/);
    await page.getByRole('article').getByText(SUBJECT).waitFor();
  });

  it('is cancelled, and the focus returns to its card where the card stays', async () => {
    await openMenu();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const asked = page.getByRole('alertdialog', { name: 'Cancel this email?' });
    await asked.getByRole('button', { name: 'Keep It' }).waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    await page.waitForFunction(
      (name) => document.activeElement?.getAttribute('aria-label') === name,
      `Actions for ${SUBJECT}`,
    );
    await openMenu();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await asked.getByRole('button', { name: 'Cancel Email' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is scheduled. Choose a time on the last step of a send.').waitFor();
    expect(stage.faults).toEqual([]);
  });
});
