import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings } from './browser.ts';
import { keyboardFindings } from './keyboard.ts';

/**
 * Expects no accessibility findings at both widths and in both colour schemes. Saves screenshots if E2E_PICTURES is
 * set.
 */
export async function look(page: Page, name: string): Promise<void> {
  expect(await findings(page, name)).toEqual([]);
}

/** Like `look`, and also expects that the screen can be used with the keyboard. */
export async function lookWithKeyboard(page: Page, name: string): Promise<void> {
  expect([...(await findings(page, name)), ...(await keyboardFindings(page, name))]).toEqual([]);
}
