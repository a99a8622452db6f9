import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { settingsAnswers } from '../../../test/fixtures/screen-answers';

// A deletion has left a gap in the positions.
const tier = { id: 'f1', key: 'tier', label: 'Tier', type: 'text', options: [], position: 1 };
const visa = { id: 'f2', key: 'visa', label: 'Visa', type: 'text', options: [], position: 4 };

async function open(answers: Record<string, unknown>) {
  const calls = fakeApi({
    ...settingsAnswers,
    'GET /api/auth/user': someone(),
    'GET /api/auth/sessions': [],
    'GET /api/auth/audit': page([]),
    'GET /api/contact-fields': [tier, visa],
    'GET /api/contact-tags': [{ id: 7, name: 'Prime vendor', colour: null }],
    ...answers,
  });
  const { user } = renderApp('/settings');
  const choose = async (row: string, action: string) => {
    await user.click(await screen.findByRole('button', { name: `Actions for ${row}` }));
    await user.click(await screen.findByRole('menuitem', { name: action }));
  };
  return { calls, user, choose };
}

describe('the contact fields', () => {
  it('are moved up and down by their positions', async () => {
    const { calls, user, choose } = await open({
      'PATCH /api/contact-fields/f1': tier,
      'PATCH /api/contact-fields/f2': visa,
    });
    const last = () => calls.filter(({ method }) => method === 'PATCH').at(-1);
    await choose('Tier', 'Move down');
    await waitFor(() => expect(last()).toMatchObject({ path: '/api/contact-fields/f1', body: { position: 2 } }));
    await choose('Visa', 'Move up');
    await waitFor(() => expect(last()).toMatchObject({ path: '/api/contact-fields/f2', body: { position: 1 } }));
    await user.click(screen.getByRole('button', { name: 'Actions for Visa' }));
    expect(screen.queryByRole('menuitem', { name: 'Move down' })).not.toBeInTheDocument();
  });

  it('are deleted after a question that counts their values; a refusal is reported', async () => {
    let count = () => {};
    const counted = new Promise<void>((resolve) => (count = resolve));
    const { user, choose } = await open({
      'GET /api/contact-fields/f1/usage': () => counted.then(() => ({ contacts: 412 })),
      'DELETE /api/contact-fields/f1': refusal(409, 'conflict', 'A change is running'),
    });
    await choose('Tier', 'Delete');
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete "Tier"?' }));
    expect(dialog.getByText('Deleting "Tier" removes its values. This action cannot be undone.')).toBeVisible();
    count();
    expect(
      await dialog.findByText('"Tier" holds 412 values. Deleting removes them. This action cannot be undone.'),
    ).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await dialog.findByText('A change is running')).toBeVisible();
  });
});

describe('the contact tags', () => {
  it('are deleted after a question', async () => {
    const { calls, user, choose } = await open({ 'DELETE /api/contact-tags/7': answer(null, 204) });
    await choose('Prime vendor', 'Delete');
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete "Prime vendor"?' }));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(calls.some(({ method, path }) => method === 'DELETE' && path === '/api/contact-tags/7')).toBe(true);
  });
});
