import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, signedOut, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { settingsAnswers } from '../../../test/fixtures/screen-answers';

const now = new Date().toISOString();
const device = (over = {}) => ({
  id: 'd1',
  device: 'Chrome on Windows',
  userAgent: null,
  ipAddress: '203.0.113.7',
  createdAt: '2025-01-05T12:00:00Z',
  lastSeenAt: now,
  current: true,
  ...over,
});
const event = (over = {}) => ({
  id: 'e1',
  kind: 'session.opened',
  description: 'Signed in',
  actor: 'you',
  reason: null,
  ipAddress: '203.0.113.7',
  device: 'Chrome on Windows',
  at: now,
  ...over,
});

function open(answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    ...settingsAnswers,
    'GET /api/auth/user': someone(),
    'GET /api/auth/sessions': [device()],
    'GET /api/auth/audit': page([event()]),
    'GET /api/dashboard/stats': {
      emailsSentToday: 0,
      totalLists: 4,
      activeLists: 3,
      totalContacts: 412,
      tier: 'free',
      recentActivity: [],
    },
    ...answers,
  });
  const sent = (method: string, path: string) =>
    calls.filter((call) => call.method === method && call.path === path).map((call) => call.body);
  return { calls, sent, ...renderApp('/settings') };
}
// Waits, because the first import of the screen takes a while.
const section = (name: string) => screen.findByRole('region', { name });

describe('the profile', () => {
  it('shows the email, and saves only what was changed', async () => {
    let user1 = someone();
    const { user, sent } = open({
      'GET /api/auth/user': () => user1,
      'PATCH /api/auth/user/name': () => (user1 = someone({ firstName: 'Diana' })),
      'PATCH /api/auth/user/settings': () => user1,
    });
    const profile = within(await section('Profile'));
    expect(profile.getByLabelText('Email')).toBeDisabled();
    expect(profile.getByLabelText('Email')).toHaveValue('dana@northline.example');
    expect(profile.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    await user.clear(profile.getByLabelText('First name'));
    await user.click(profile.getByRole('button', { name: 'Save changes' }));
    expect(await profile.findByText('First name is required')).toBeVisible();
    await user.type(profile.getByLabelText('First name'), 'Diana{Enter}');
    expect(await screen.findByText('Profile Updated!')).toBeVisible();
    expect(sent('PATCH', '/api/auth/user/name')).toEqual([{ firstName: 'Diana', lastName: 'Whitfield' }]);
    expect(sent('PATCH', '/api/auth/user/settings')).toEqual([]);
    expect(await screen.findByText('Diana Whitfield')).toBeVisible();
  });

  it('changes agency and time zone, and reports a failure', async () => {
    let fails = true;
    const { user, sent } = open({
      'PATCH /api/auth/user/settings': () => (fails ? refusal(429, 'rate_limited', 'Too many requests') : someone()),
    });
    const profile = within(await section('Profile'));
    await user.clear(profile.getByLabelText(/Agency name/));
    await user.click(profile.getByLabelText('Time zone'));
    await user.clear(profile.getByLabelText('Time zone'));
    await user.type(profile.getByLabelText('Time zone'), 'berlin');
    await user.click(await screen.findByRole('option', { name: 'Europe/Berlin' }));
    await user.click(profile.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Update Failed')).toBeVisible();
    fails = false;
    await user.click(profile.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Profile Updated!')).toBeVisible();
    expect(sent('PATCH', '/api/auth/user/settings').at(-1)).toEqual({ agencyName: '', timeZone: 'Europe/Berlin' });
  });

  it('removes the picture', async () => {
    let person = someone({ profileImageUrl: '/api/avatars/a1' });
    const { user, sent } = open({
      'GET /api/auth/user': () => person,
      'DELETE /api/auth/user/avatar': () => (person = someone()),
    });
    const profile = within(await section('Profile'));
    await user.click(profile.getByRole('button', { name: /Remove/ }));
    await waitFor(() => expect(sent('DELETE', '/api/auth/user/avatar')).toHaveLength(1));
    await waitFor(() => expect(profile.queryByRole('button', { name: /Remove/ })).not.toBeInTheDocument());
  });

  it('refuses a file that is no picture before anything is sent', async () => {
    const { user, calls } = open();
    const profile = within(await section('Profile'));
    // jsdom cannot draw, so a file that cannot be read as a picture is refused before the upload.
    await user.upload(
      profile.getByLabelText('Profile picture'),
      new File(['not a picture'], 'me.png', { type: 'image/png' }),
    );
    expect(await screen.findByText(/not a picture that can be read/)).toBeVisible();
    expect(calls.some((call) => call.method === 'PUT')).toBe(false);
  });
});

describe('role and plan', () => {
  it('opens the same role dialog, with the present role selected', async () => {
    const { user } = open({ 'GET /api/auth/user': someone({ role: 'bench-sales' }) });
    const role = within(await section('Role'));
    expect(role.getByText('Bench Sales')).toBeVisible();
    await user.click(role.getByRole('button', { name: 'Change role' }));
    expect(await screen.findByRole('dialog', { name: 'Change role' })).toBeVisible();
    expect(screen.getByRole('radio', { name: /Bench Sales/ })).toBeChecked();
  });

  it('shows what the entitlements allow', async () => {
    const { unmount } = open({
      'GET /api/auth/user': someone({
        entitlements: { plan: 'free', dailyLimit: 2, sentToday: 1, scheduledToday: 0, remainingToday: 1 },
      }),
    });
    const plan = within(await section('Usage & Subscription'));
    for (const text of ['Free plan', '2 sends a day', '1 of 2 (50%)']) expect(plan.getByText(text)).toBeVisible();
    unmount();
    open({
      'GET /api/auth/user': someone({
        referralCreditsMonths: '2',
        entitlements: { plan: 'pro', dailyLimit: null, sentToday: 3, scheduledToday: 0, remainingToday: null },
      }),
    });
    for (const text of ['Pro plan', '2 months free from referrals', 'Unlimited sends'])
      expect(within(await section('Usage & Subscription')).getByText(text)).toBeVisible();
  });
});

describe('notifications', () => {
  it.each(['Success', 'Error', 'Warning', 'Info'])('shows one of %s', async (label) => {
    const { user } = open();
    await user.click(within(await section('Notification tests')).getByRole('button', { name: label }));

    expect(await screen.findByText(/This is how that looks/)).toBeVisible();
  });
});

describe('devices', () => {
  it('signs out one, or all others, never this one', async () => {
    let devices = [
      device(),
      device({ id: 'd2', device: 'Safari on iPhone', current: false }),
      device({ id: 'd3', device: 'Firefox on Linux', current: false }),
    ];
    const { user, calls } = open({
      'GET /api/auth/sessions': () => devices,
      'DELETE /api/auth/sessions/d2': () => ((devices = devices.filter(({ id }) => id !== 'd2')), answer(null, 204)),
      'DELETE /api/auth/sessions': () => ((devices = devices.filter(({ current }) => current)), answer(null, 204)),
    });
    const list = within(await section('Devices'));
    expect(await list.findAllByRole('listitem')).toHaveLength(3);
    expect(list.getByText('This device')).toBeVisible();
    expect(list.queryByRole('button', { name: 'Sign out Chrome on Windows' })).not.toBeInTheDocument();
    await user.click(list.getByRole('button', { name: 'Sign out Safari on iPhone' }));
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(2));
    await user.click(list.getByRole('button', { name: 'Sign out all other devices' }));
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));
    expect(calls.filter((call) => call.method === 'DELETE').map((call) => call.path)).toEqual([
      '/api/auth/sessions/d2',
      '/api/auth/sessions',
    ]);
    expect(list.queryByRole('button')).not.toBeInTheDocument();
  });

  it('can be loaded again when they could not be loaded', async () => {
    let up = false;
    const { user } = open({ 'GET /api/auth/sessions': () => (up ? [device()] : answer({}, 500)) });
    const list = within(await section('Devices'));
    expect(await list.findByText('Your devices could not be loaded.')).toBeVisible();
    up = true;
    await user.click(list.getByRole('button', { name: 'Retry' }));
    expect(await list.findByText('Chrome on Windows')).toBeVisible();
  });
});

describe('the password', () => {
  it('is changed with the present one; a wrong one is reported under its field', async () => {
    let wrong = true;
    const { user, sent } = open({
      'POST /api/auth/change-password': () =>
        wrong
          ? refusal(400, 'validation_failed', 'Your current password is not right', [
              { field: 'currentPassword', message: 'Your current password is not right' },
            ])
          : { message: 'Done' },
    });
    const form = within(await section('Password'));
    await user.type(form.getByLabelText('Current password'), 'old secret words');
    await user.type(form.getByLabelText('New password'), 'new secret words');
    await user.type(form.getByLabelText('Confirm password'), 'new secret word{Enter}');
    expect(await form.findByText('Passwords do not match')).toBeVisible();
    await user.type(form.getByLabelText('Confirm password'), 's{Enter}');
    await waitFor(() =>
      expect(form.getByLabelText('Current password')).toHaveAccessibleDescription('Your current password is not right'),
    );
    expect(form.getByLabelText('Current password')).toHaveFocus();
    wrong = false;
    await user.type(form.getByLabelText('Current password'), '!{Enter}');
    expect(await screen.findByText('Password changed')).toBeVisible();
    expect(form.getByLabelText('New password')).toHaveValue('');
    expect(sent('POST', '/api/auth/change-password').at(-1)).toEqual({
      currentPassword: 'old secret words!',
      newPassword: 'new secret words',
    });
  });
});

describe('security events and data', () => {
  it('lists the newest events and more on demand', async () => {
    const all = Array.from({ length: 12 }, (_, i) => event({ id: `e${i}`, description: `Event ${i}` }));
    const { user } = open({
      'GET /api/auth/audit': (call: { query: Record<string, string> }) =>
        page(all.slice(0, Number(call.query.limit)), 12),
    });
    const trail = within(await section('Security events'));
    expect(await trail.findAllByRole('listitem')).toHaveLength(8);
    await user.click(trail.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(trail.getAllByRole('listitem')).toHaveLength(12));
    expect(trail.queryByRole('button')).not.toBeInTheDocument();
  });

  it('offers the export as a download', async () => {
    open();
    expect(within(await section('Your data')).getByRole('link', { name: 'Export data' })).toHaveAttribute(
      'href',
      '/api/auth/export',
    );
  });
});

describe('deleting the account', () => {
  it('names the account and its size, asks for the password, then leads to login and keeps no unsent draft on this device', async () => {
    localStorage.setItem(
      'send_draft_u1',
      JSON.stringify({
        step: 1,
        emailType: 'job-post',
        emailListIds: ['l1'],
        subject: 'Half written',
        content: '',
        key: null,
        savedAt: null,
      }),
    );
    let alive = true;
    let wrong = true;
    const { user, router, sent } = open({
      'GET /api/auth/user': () => (alive ? someone() : signedOut()),
      'POST /api/auth/delete-account': () => {
        if (wrong)
          return refusal(400, 'validation_failed', 'The password is not right', [
            { field: 'password', message: 'The password is not right' },
          ]);
        alive = false;
        return { message: 'Your account has been deleted.' };
      },
    });
    await user.click(within(await section('Delete account')).getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete account?' }));
    expect(
      await dialog.findByText(
        /The account dana@northline.example with 4 lists and 412 contacts is deleted.*This action cannot be undone\./,
      ),
    ).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Delete account' }));
    expect(await dialog.findByText('Password is required')).toBeVisible();
    await user.type(dialog.getByLabelText('Your password'), 'wrong{Enter}');
    expect(await dialog.findByText('The password is not right')).toBeVisible();
    wrong = false;
    await user.type(dialog.getByLabelText('Your password'), ' no more{Enter}');
    expect(await screen.findByText('Your account has been deleted.')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(localStorage.getItem('send_draft_u1')).toBeNull();
    expect(sent('POST', '/api/auth/delete-account').at(-1)).toEqual({ password: 'wrong no more' });
  });
});
