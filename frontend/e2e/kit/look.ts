import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings, keyboardFindings } from './browser.ts';

/** Checks a screen for accessibility at both widths and in both colour schemes, and keeps pictures if asked to. */
export async function look(page: Page, name: string): Promise<void> {
  expect(await findings(page, name)).toEqual([]);
}

/** Like look, and also goes through the screen with the keyboard. */
export async function lookWithKeyboard(page: Page, name: string): Promise<void> {
  expect([...(await findings(page, name)), ...(await keyboardFindings(page, name))]).toEqual([]);
}
