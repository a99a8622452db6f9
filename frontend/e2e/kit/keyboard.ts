import type { Locator, Page } from 'playwright-core';
import { until } from './until.ts';

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Presses Tab until this control has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  await until('the focus by Tab', async () => {
    if (await isFocused(target)) return true;
    await page.keyboard.press('Tab');
    return isFocused(target);
  });
}

/** Goes to a button or link by Tab, and presses Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}
