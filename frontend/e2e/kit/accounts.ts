import type { Page } from 'playwright-core';
import { Api } from './api.ts';
import { linkIn, mailsTo } from './mailbox.ts';
import type { Product } from './product.ts';

export const PASSWORD = 'a long enough secret';

/** Registers an account and verifies its address by the mailed link. */
export async function verified(product: Product, email: string): Promise<Api> {
  const api = await Api.register(product.url, email);
  const [mail] = await mailsTo(product.mailboxUrl, email);
  await api.call('POST', '/api/auth/verify-email', {
    token: new URL(linkIn(mail!, '/verify-email')).searchParams.get('token'),
  });
  return api;
}

/** Submits the sign-in form. */
export async function signIn(page: Page, product: Product, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}
