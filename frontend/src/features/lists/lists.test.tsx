import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { referralsAnswers } from '../../../test/fixtures/screen-answers';

const list = (over = {}) => ({
  id: 'l1',
  name: 'Java vendors',
  slug: 'java-x1',
  description: 'Prime vendors',
  agencyName: null,
  agencyLogo: null,
  ownerName: null,
  contactCount: 412,
  isDefault: false,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  ...over,
});

function open(answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-lists': page([list(), list({ id: 'l2', name: 'Bench', contactCount: 1, description: null })]),
    ...answers,
  });
  return { calls, ...renderApp('/lists') };
}

describe('the lists', () => {
  it('are cards with their counts, each linking to its contacts', async () => {
    open();
    const card = within((await screen.findByRole('link', { name: 'Java vendors' })).closest('article') as HTMLElement);
    expect(card.getByText('412 contacts')).toBeVisible();
    expect(card.getByText(/^Updated .* ago$/)).toBeVisible();
    expect(screen.getByText('1 contact')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Java vendors' })).toHaveAttribute('href', '/lists/l1');
  });

  it('are searched on the server', async () => {
    const { user, calls } = open();
    await user.type(await screen.findByRole('searchbox', { name: 'Search lists...' }), 'java');
    await waitFor(() => expect(calls.at(-1)?.query).toEqual({ limit: '24', search: 'java' }));
  });

  it('are created with the typed values, and without empty texts', async () => {
    const { user, calls } = open({ 'POST /api/email-lists': answer(list({ id: 'l3', name: 'New' }), 201) });
    await user.click(await screen.findByRole('button', { name: 'Create List' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create a list' }));
    expect(dialog.getByRole('button', { name: 'Create List' })).toBeDisabled();
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), '  New ');
    await user.click(dialog.getByRole('button', { name: 'Create List' }));
    expect(await screen.findByText('List Created!')).toBeVisible();
    expect(calls.find((call) => call.method === 'POST')?.body).toEqual({ name: 'New' });
  });

  it('say why one was not created', async () => {
    const { user } = open({ 'POST /api/email-lists': answer({}, 500) });
    await user.click(await screen.findByRole('button', { name: 'Create List' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'New{Enter}');
    expect(await screen.findByText('Creation Failed')).toBeVisible();
    expect(screen.getByText('Failed to create the email list. Please try again.')).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('New');
  });

  it('are edited: only changed values are sent, cleared texts as empty', async () => {
    const { user, calls } = open({ 'PATCH /api/email-lists/l1': list() });
    await user.click(await screen.findByRole('button', { name: 'Actions for Java vendors' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    await user.clear(await screen.findByRole('textbox', { name: /Description/ }));
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('List Updated!')).toBeVisible();
    expect(calls.find((call) => call.method === 'PATCH')?.body).toEqual({ description: '' });
  });

  it('are shared by their public link, with a note that it is closed until its owner is verified', async () => {
    const { user, unmount } = open();
    const share = async (hand: typeof user) => {
      await hand.click(await screen.findByRole('button', { name: 'Actions for Java vendors' }));
      await hand.click(await screen.findByRole('menuitem', { name: 'Share' }));
      return within(await screen.findByRole('dialog', { name: 'Share Java vendors' }));
    };
    const dialog = await share(user);
    expect(dialog.getByText(/\/subscribe\/list\/java-x1$/)).toBeVisible();
    expect(dialog.getByText(/^Anyone with this link can subscribe/)).toBeVisible();
    expect(dialog.queryByRole('alert')).toBeNull();
    unmount();
    const unverified = open({ 'GET /api/auth/user': someone({ isVerified: false, email: 'dana@agency.example' }) });
    const closed = await share(unverified.user);
    expect(closed.getByRole('alert')).toHaveTextContent(
      'Your public page is closed until you verify your email address.',
    );
    expect(closed.getByRole('link', { name: 'How to verify' })).toHaveAttribute(
      'href',
      '/check-email?email=dana%40agency.example',
    );
  });

  it('are deleted after a question that names list and size', async () => {
    const { user, calls } = open({ 'DELETE /api/email-lists/l1': answer(null, 204) });
    await user.click(await screen.findByRole('button', { name: 'Actions for Java vendors' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText('Java vendors, 412 contacts')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Delete list' }));
    expect(await screen.findByText('List Deleted!')).toBeVisible();
    await waitFor(() => expect(calls.filter((call) => call.path === '/api/email-lists')).toHaveLength(2));
  });

  const deleteFirst = async (user: ReturnType<typeof open>['user']) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for Java vendors' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete list' }));
    expect(await screen.findByText('List Deleted!')).toBeVisible();
  };

  it('are restored by Undo, also from another screen', async () => {
    let there = true;
    const { user, calls, router } = open({
      'GET /api/email-lists': () => page(there ? [list()] : []),
      'DELETE /api/email-lists/l1': () => ((there = false), answer(null, 204)),
      'POST /api/email-lists/l1/restore': () => ((there = true), list()),
      ...referralsAnswers,
    });
    await deleteFirst(user);
    await screen.findByText('No email lists yet');
    await router.navigate('/referrals');
    await waitFor(() => expect(screen.queryByText('No email lists yet')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('List Restored!')).toBeVisible();
    expect(calls.filter(({ path }) => path.endsWith('/restore'))).toHaveLength(1);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
    await router.navigate('/lists');
    expect(await screen.findByRole('link', { name: 'Java vendors' })).toBeVisible();
  });

  it('say why one was not restored', async () => {
    const { user } = open({
      'DELETE /api/email-lists/l1': answer(null, 204),
      'POST /api/email-lists/l1/restore': refusal(410, 'undo_expired', 'This can no longer be undone'),
    });
    await deleteFirst(user);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('List Not Restored')).toBeVisible();
    expect(screen.getByText('This can no longer be undone')).toBeVisible();
  });

  it('offer Retry when they could not be loaded, and the first step when there are none', async () => {
    let up = false;
    const { user } = open({ 'GET /api/email-lists': () => (up ? page([]) : refusal(503, 'unavailable', 'Down')) });
    const retry = await screen.findByRole('button', { name: 'Retry' });
    up = true;
    await user.click(retry);
    expect(await screen.findByRole('button', { name: 'Create your first list' })).toBeVisible();
  });
});
