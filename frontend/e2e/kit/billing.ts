import { afterAll, beforeAll } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { answerWelcome, openBrowser, openPage } from './browser.ts';
import type { Product } from './product.ts';

export const PASSWORD = 'a long enough secret';

/** Registers in the browser, so that the browser gets the session. */
export async function register(page: Page, product: Product, email: string): Promise<void> {
  await page.goto(`${product.url}/register`);
  await page.evaluate(
    async ([address, password]) => {
      const body = {
        email: address,
        password,
        firstName: 'Dana',
        lastName: 'Okafor',
        role: 'recruiter',
        agencyName: 'Northline Staffing',
      };
      const answer = await fetch('/api/auth/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    [email, PASSWORD] as const,
  );
  await page.goto(`${product.url}/dashboard`);
  await answerWelcome(page);
}

export const planPart = (page: Page) => page.getByRole('region', { name: 'Usage & Subscription' });

export const continueToPayment = (page: Page) => page.getByRole('button', { name: 'Continue to payment' }).click();

/** One Chromium for all tests of a file; call it at the top of the file. */
export function useVisitors() {
  let browser: Browser;
  /** Script errors of pages that were closed, and their requests to outside hosts. */
  const faults: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });
  /**
   * Opens a page for another person, with separate cookies. Requests to hosts other than the product and `allowed` are
   * faults.
   */
  const visitor = async (product: Product, allowed: string[] = []): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const opened = await openPage(context, [product.url, ...allowed]);
    opened.page.on('close', () => faults.push(...opened.faults));
    return opened.page;
  };
  return { visitor, faults };
}

export const payButton = (page: Page, name: RegExp | string = /^Pay \$/) => page.getByRole('button', { name });
