import { describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, signedOut, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';

const LINK = 'https://staffcast.example/invite/K7QW2M9XPA';
const stats = { totalInvites: 12, pendingInvites: 5, acceptedInvites: 4, signupConversions: 7, paidConversions: 2 };
const invite = (over = {}) => ({
  id: 'i1',
  inviteeEmail: 'marco@vendor.example',
  status: 'pending',
  sentAt: '2026-01-05T10:00:00Z',
  acceptedAt: null,
  expiresAt: '2026-02-04T10:00:00Z',
  ...over,
});

function open(answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/referrals': { stats, invites: [] },
    'GET /api/referrals/code': { code: 'K7QW2M9XPA', referralUrl: LINK },
    'GET /api/referrals/invites': page([
      invite(),
      invite({ id: 'i2', inviteeEmail: 'li@vendor.example', status: 'accepted', acceptedAt: '2026-01-07T10:00:00Z' }),
      invite({ id: 'i3', inviteeEmail: 'old@vendor.example', status: 'expired' }),
    ]),
    'POST /api/referrals/invite': answer({ message: 'An invite is on its way to ana@vendor.example' }, 201),
    ...answers,
  });
  return { calls, ...renderApp('/referrals') };
}

const field = () => screen.findByRole('textbox', { name: "Colleague's email" });
const posts = (calls: ReturnType<typeof fakeApi>) => calls.filter((call) => call.method === 'POST');

describe('referrals', () => {
  it('show the three figures and every invite with its state', async () => {
    open();
    for (const [label, value] of [
      ['Total Invites', '12'],
      ['Signups', '7'],
      ['Paid Conversions', '2'],
    ] as const) {
      const term = await screen.findByText(label);
      await waitFor(() =>
        expect(within(term.closest('dt')?.parentElement as HTMLElement).getByText(value)).toBeVisible(),
      );
    }
    expect(await screen.findByText('marco@vendor.example')).toBeVisible();
    for (const word of ['Pending', 'Accepted', 'Expired']) expect(screen.getByText(word)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Referrals' })).toHaveAttribute('aria-current', 'page');
  });

  it('copy the link and say so', async () => {
    const { user } = open();
    const write = jest.spyOn(navigator.clipboard, 'writeText');
    await screen.findByText(LINK);
    await user.click(screen.getByRole('button', { name: 'Copy Link' }));
    expect(await screen.findByText('Copied!')).toBeVisible();
    expect(write).toHaveBeenCalledWith(LINK);
  });

  it('say when there is no link to copy', async () => {
    let up = false;
    const { user } = open({
      'GET /api/referrals/code': () => (up ? answer({ referralUrl: LINK }) : refusal(503, 'unavailable', 'Down')),
    });
    const copy = await screen.findByRole('button', { name: 'Copy Link' });
    expect(await screen.findByText('Referral link not available')).toBeVisible();
    up = true;
    await user.click(copy);
    expect(await screen.findByText('Please try again.')).toBeVisible();
    expect(await screen.findByText(LINK)).toBeVisible();
  });

  it('send an invite by Enter, clear the field and refetch the figures', async () => {
    const { user, calls } = open();
    await user.type(await field(), ' ana@vendor.example {Enter}');
    expect(await screen.findByText('Invite Sent!')).toBeVisible();
    expect(screen.getByText('An invite is on its way to ana@vendor.example')).toBeVisible();
    expect(posts(calls).map((call) => call.body)).toEqual([{ inviteeEmail: 'ana@vendor.example' }]);
    expect(await field()).toHaveValue('');
    await waitFor(() => expect(calls.filter((call) => call.path === '/api/referrals')).toHaveLength(2));
    expect(calls.filter((call) => call.path === '/api/referrals/invites')).toHaveLength(2);
  });

  it('require a valid address', async () => {
    const { user, calls } = open();
    await user.click(await screen.findByRole('button', { name: 'Send Invite' }));
    expect(await screen.findByText('Email Required')).toBeVisible();
    expect(screen.getAllByText('Please enter an email address.').length).toBeGreaterThan(0);
    expect(await field()).toHaveFocus();
    await user.type(await field(), 'nobody{Enter}');
    expect(await screen.findByText('Please enter a valid email address')).toBeVisible();
    expect(posts(calls)).toEqual([]);
  });

  it('say why an invite was not sent, and keep the input', async () => {
    const { user } = open({
      'POST /api/referrals/invite': refusal(
        409,
        'already_invited',
        'This address has been invited within the last 30 days',
      ),
    });
    await user.type(await field(), 'ana@vendor.example{Enter}');
    expect(await screen.findByText('Failed to Send Invite')).toBeVisible();
    expect(screen.getByText('This address has been invited within the last 30 days')).toBeVisible();
    expect(await field()).toHaveValue('ana@vendor.example');
  });

  it('lead from an empty list to the first invite; failures offer Retry', async () => {
    const { user, unmount } = open({ 'GET /api/referrals/invites': page([]) });
    await user.click(await screen.findByRole('button', { name: 'Write your first invite' }));
    expect(await field()).toHaveFocus();
    unmount();
    open({
      'GET /api/referrals/invites': refusal(503, 'unavailable', 'Down'),
      'GET /api/referrals': refusal(503, 'unavailable', 'Down'),
    });
    expect(await screen.findAllByRole('button', { name: 'Retry' })).toHaveLength(2);
  });
});

describe('an invite link', () => {
  it('leads to the form, with and without a code', async () => {
    // The form reports the visit later, unless the person leaves it first.
    fakeApi({ 'GET /api/auth/user': signedOut, 'POST /api/referrals/visit': { inviterName: null } });
    const { router, unmount } = renderApp('/invite/K7QW2M9XPA');
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe('/register?ref=K7QW2M9XPA'),
    );
    unmount();
    const view = renderApp('/invite');
    await waitFor(() =>
      expect(view.router.state.location.pathname + view.router.state.location.search).toBe('/register'),
    );
    expect(await screen.findByRole('button', { name: 'Create account' })).toBeVisible();
    expect(screen.queryByText("You're signing up with a referral code!")).toBeNull();
  });

  it('names the inviter on the form, and shows nothing more for an invalid code', async () => {
    const visit = jest.fn((call: { body: unknown }) => ({
      inviterName: (call.body as { ref: string }).ref === 'GOODCODE22' ? 'Priya Raman' : null,
    }));
    fakeApi({ 'GET /api/auth/user': signedOut, 'POST /api/referrals/visit': visit });
    const { unmount } = renderApp('/register?ref=GOODCODE22');
    expect(await screen.findByText("You're signing up with a referral code!")).toBeVisible();
    expect(await screen.findByText('Priya Raman invited you to Staffcast.')).toBeVisible();
    unmount();
    renderApp('/register?ref=bad');
    expect(await screen.findByText("You're signing up with a referral code!")).toBeVisible();
    await waitFor(() => expect(visit).toHaveBeenLastCalledWith(expect.objectContaining({ body: { ref: 'bad' } })));
    expect(screen.queryByText(/invited you/)).toBeNull();
  });
});

describe('the page "Never invite me again"', () => {
  it('acts by its button only', async () => {
    const calls = fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/referrals/opt-out': { message: 'You will not be invited again.' },
    });
    const { user } = renderApp('/no-invites?token=t1');
    const button = await screen.findByRole('button', { name: 'Never invite me again' });
    expect(posts(calls)).toEqual([]);
    await user.click(button);
    expect(await screen.findByText('You will not be invited again.')).toBeVisible();
    expect(posts(calls)).toMatchObject([{ path: '/api/referrals/opt-out', body: { token: 't1' } }]);
  });

  it('reports that the link is invalid or carries no token', async () => {
    fakeApi({
      'GET /api/auth/user': signedOut,
      'POST /api/referrals/opt-out': refusal(404, 'token_invalid', 'This link is not valid'),
    });
    const { user, unmount } = renderApp('/no-invites?token=bad');
    await user.click(await screen.findByRole('button', { name: 'Never invite me again' }));
    expect(await screen.findByText('This link is not valid')).toBeVisible();
    unmount();
    renderApp('/no-invites');
    expect(await screen.findByText('Link incomplete')).toBeVisible();
  });
});
