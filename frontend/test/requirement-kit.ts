import { expect } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  composedPost,
  fakeDrafts,
  openWizard,
  PASTED_REQUIREMENT,
  requirement,
  storedDraft,
  type OpenedWizard,
} from './send-kit';

/** The dialog 'Paste a requirement'. */
export const dialog = () => within(screen.getByRole('dialog', { name: 'Paste a requirement' }));
export const field = (name: string) => dialog().getByRole('textbox', { name });
export const paste = (text = PASTED_REQUIREMENT) =>
  fireEvent.change(field('Paste the requirement as you got it'), { target: { value: text } });
export const press = ({ user }: OpenedWizard, name: string) => user.click(dialog().getByRole('button', { name }));
export const question = (name: string) => screen.findByRole('alertdialog', { name });
export const isClosed = () =>
  waitFor(() => expect([...screen.queryAllByRole('dialog'), ...screen.queryAllByRole('alertdialog')]).toEqual([]));
export const isAnswered = () => waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
/** The jobs for which a post was requested. */
export const composed = ({ calls }: OpenedWizard) =>
  calls.filter(({ path }) => path === '/api/requirements/compose').map(({ body }) => (body as { job: object }).job);

/** Opens the dialog on the step of the subject. @param over answers of the server @param draft content of the draft */
export async function openDialog(over: Record<string, unknown> = {}, draft: Record<string, unknown> = {}) {
  const drafts = fakeDrafts(storedDraft({ subject: '', content: null, ...draft }));
  const opened = openWizard(
    {
      'POST /api/requirements/read': [requirement()],
      'POST /api/requirements/compose': composedPost,
      ...over,
    },
    `/send/d1?step=${(draft.step as number | undefined) ?? 2}`,
    drafts,
  );
  await opened.user.click(await screen.findByRole('button', { name: 'Paste a requirement' }));
  await screen.findByRole('dialog', { name: 'Paste a requirement' });
  return opened;
}

/** Opens the dialog and reads the pasted requirement. */
export async function readIt(over: Record<string, unknown> = {}, draft: Record<string, unknown> = {}) {
  const opened = await openDialog(over, draft);
  paste();
  await press(opened, 'Read it');
  await dialog().findByRole('textbox', { name: 'Title' });
  return opened;
}
