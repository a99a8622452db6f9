import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';

/** HTML from the clipboard of another program, the same as in the component tests. */
export const clipboardHtml = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../test/clipboard', name), 'utf8');

/** Pastes this content into a field, as Ctrl+V would. */
export async function paste(field: Locator, html: string, text = ''): Promise<void> {
  await field.focus();
  await field.evaluate(
    (element, given) => {
      const data = new DataTransfer();
      data.setData('text/html', given.html);
      data.setData('text/plain', given.text);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    },
    { html, text },
  );
}
