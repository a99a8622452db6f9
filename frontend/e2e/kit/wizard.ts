import type { Page } from 'playwright-core';

// The send wizard, as a person uses it.

export const nextStep = (page: Page) => page.getByRole('button', { name: 'Next' }).click();
export const contentField = (page: Page) => page.getByRole('textbox', { name: 'Email content' });
export const draftSaved = (page: Page) => page.getByText(/^Saved \d/).waitFor();
/** Id of the draft in the URL. */
export const draftIdOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';
