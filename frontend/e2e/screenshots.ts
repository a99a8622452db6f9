// Screenshots of the demo (scripts/screenshots.mjs): FOLDER/{screen}-{width}-{scheme}.png
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { inTheme, settled, VIEWPORTS } from './kit/browser.ts';
import { openOwnStage } from './kit/stage.ts';

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'docs', 'pictures');
const password = 'demo-pictures-only';
const SCREENS: Record<string, (page: Page) => Promise<string>> = {
  dashboard: async () => '/',
  lists: async () => '/lists',
  list: (page) => firstOf(page, '/api/email-lists', '/lists'),
  send: async () => '/send',
  compose: async (page) => `${await firstOf(page, '/api/drafts', '/send')}?step=3`,
  preview: async (page) => `${await firstOf(page, '/api/drafts', '/send')}?step=4`,
  library: async () => '/library',
  history: async () => '/history',
  'history-entry': (page) => firstOf(page, '/api/email-history', '/history'),
  referrals: async () => '/referrals',
  settings: async () => '/settings',
  'admin-users': async () => '/admin',
  operations: async () => '/admin/operations',
};

mkdirSync(folder, { recursive: true });
const stage = await openOwnStage({ env: { DEMO_DATA: 'on', DEMO_PASSWORD: password } });
try {
  const { page, product } = stage;
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email', { exact: true }).fill('demo@staffcast.example');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  for (const [name, pathOf] of Object.entries(SCREENS)) {
    await page.goto(product.url + (await pathOf(page)));
    await page.locator('main h1').first().waitFor();
    await settled(page);
    for (const size of VIEWPORTS) {
      await page.setViewportSize(size);
      for (const scheme of ['light', 'dark']) {
        await inTheme(page, scheme);
        await settled(page);
        await page.screenshot({ path: join(folder, `${name}-${size.width}-${scheme}.png`) });
      }
    }
  }
  process.stdout.write(`${Object.keys(SCREENS).length} screens in ${folder}\n`);
} finally {
  await stage.close();
}

/** Path of the first item of a collection. */
async function firstOf(page: Page, collection: string, screen: string): Promise<string> {
  const found = (await (await page.request.get(new URL(page.url()).origin + collection)).json()) as {
    id: string;
    isDefault?: boolean;
  }[];
  return `${screen}/${found.find(({ isDefault }) => !isDefault)!.id}`;
}
