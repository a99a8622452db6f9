import { expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { fakeDrafts, openWizard, write } from '../../../../test/send-kit';

it('a new draft gets its address while a dialog over it holds typed text, which stays without a question', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((done) => (release = done));
  const drafts = fakeDrafts();
  const create = drafts.answers['POST /api/drafts'];
  const opened = openWizard(
    { 'POST /api/drafts': (call: never) => released.then(() => create(call)) },
    '/send',
    drafts,
  );
  const { user, router } = opened;
  await write(opened);
  await user.click(screen.getByRole('button', { name: 'Previous' }));
  await user.click(await screen.findByRole('button', { name: 'Save as template' }));
  const name = within(await screen.findByRole('dialog', { name: 'Save as template' })).getByLabelText('Name');
  await user.type(name, ' for vendors');
  expect(router.state.location.pathname).toBe('/send');
  release();
  await waitFor(() => expect(router.state.location.pathname).toBe('/send/d1'));
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  expect(name).toBeVisible();
  expect(name).toHaveValue('A job for vendors');
});
