import { describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { settingsAnswers } from '../../../test/fixtures/screen-answers';

const list = {
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
};

async function creating(answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-lists': page([list]),
    'GET /api/email-history': page([]),
    ...answers,
  });
  const view = renderApp('/lists');
  await view.user.click(await screen.findByRole('button', { name: 'Create List' }));
  await screen.findByRole('dialog', { name: 'Create a list' });
  return { calls, ...view };
}
const typed = () => screen.getByRole('textbox', { name: 'Name' });
const questionGone = () => waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
const question = () => screen.findByRole('alertdialog', { name: 'Discard what you typed?' });

describe('a dialog with a form', () => {
  it.each([
    ['Escape', (user: Awaited<ReturnType<typeof creating>>['user']) => user.keyboard('{Escape}')],
    [
      'Cancel',
      (user: Awaited<ReturnType<typeof creating>>['user']) =>
        user.click(screen.getByRole('button', { name: 'Cancel' })),
    ],
    [
      'a press beside it',
      async () => {
        const backdrop = document.querySelector('.MuiDialog-container') as HTMLElement;
        fireEvent.mouseDown(backdrop);
        fireEvent.click(backdrop);
      },
    ],
  ])('asks on %s before typed input is lost, and keeps it where the answer is no', async (_way, close) => {
    const { user } = await creating();
    await user.type(typed(), 'Bench partners');
    await close(user);
    await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
    await questionGone();
    expect(typed()).toHaveValue('Bench partners');
    await close(user);
    await user.click(within(await question()).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('closes at once when nothing was typed', async () => {
    const { user } = await creating();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it('stays open while its request is under way', async () => {
    let release = (): void => undefined;
    const { user } = await creating({
      'POST /api/email-lists': () => new Promise((done) => (release = () => done(answer(list, 201)))),
    });
    await user.type(typed(), 'Bench partners{Enter}');
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'Create a list' })).toBeVisible();
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    release();
    expect(await screen.findByText('List Created!')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('stays open with the input and the reason when the server refuses', async () => {
    const { user } = await creating({ 'POST /api/email-lists': refusal(503, 'unavailable', 'Busy') });
    await user.type(typed(), 'Bench partners{Enter}');
    const dialog = within(screen.getByRole('dialog', { name: 'Create a list' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Creation Failed: Failed to create the email list. Please try again.',
    );
    expect(typed()).toHaveValue('Bench partners');
  });

  it('asks before Back and before a reload', async () => {
    const { user, router } = await creating();
    await user.type(typed(), 'Bench partners');
    void router.navigate('/history');
    await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
    expect(router.state.location.pathname).toBe('/lists');
    await questionGone();
    expect(typed()).toHaveValue('Bench partners');
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
    void router.navigate('/history');
    await user.click(within(await question()).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/history'));
    await waitFor(() => expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true));
  });

  it('asks before Back closes it where Back stays on the screen', async () => {
    const { user, router } = await creating();
    await user.type(typed(), 'Bench partners');
    await act(() => router.navigate(-1));
    await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
    await questionGone();
    expect(typed()).toHaveValue('Bench partners');
    await act(() => router.navigate(-1));
    await user.click(within(await question()).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(router.state.location.pathname).toBe('/lists');
  });

  it('keeps a paste that is too long, shows its length, and refuses it', async () => {
    const { user, calls } = await creating();
    await user.click(typed());
    await user.paste(`${'x'.repeat(240)} END`);
    expect((typed() as HTMLInputElement).value).toHaveLength(244);
    expect(screen.getByText('Too long by 44 characters: at most 200')).toBeVisible();
    await user.keyboard('{Enter}');
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('a deletion that the server refuses', () => {
  it('keeps the dialog open, with the reason', async () => {
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/email-lists': page([list]),
      'DELETE /api/email-lists/l1': refusal(503, 'unavailable', 'Busy'),
    });
    const { user } = renderApp('/lists');
    await user.click(await screen.findByRole('button', { name: 'Actions for Java vendors' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Delete list' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Delete Failed: Failed to delete the email list. Please try again.',
    );
    expect(dialog.getByRole('button', { name: 'Delete list' })).toBeEnabled();
  });
});

describe('a form on a screen', () => {
  it('asks before it is left with typed input', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/email-lists': page([]), ...settingsAnswers });
    const { user, router } = renderApp('/settings');
    await user.type(await screen.findByRole('textbox', { name: 'First name' }), 'x');
    await user.click(
      within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Email Lists' }),
    );
    await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
    expect(router.state.location.pathname).toBe('/settings');
    await questionGone();
    expect(screen.getByRole('textbox', { name: 'First name' })).toHaveValue('Danax');
    jest.restoreAllMocks();
  });
});
