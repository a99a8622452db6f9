import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, someone } from '../../../test/fake-api';
import { fakeStream, openedStream } from '../../../test/fake-stream';
import { renderApp } from '../../../test/render';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const stats = {
  emailsSentToday: 2,
  totalLists: 4,
  activeLists: 3,
  totalContacts: 12_400,
  tier: 'pro',
  recentActivity: [
    { action: 'Contact confirmed', name: 'priya@vendor.example', time: minutesAgo(3) },
    { action: 'Email sent', name: 'Senior Java developer, Dallas', time: minutesAgo(61) },
  ],
};
const day = (index: number) => ({
  date: new Date(Date.UTC(2026, 10, 1 + index)).toISOString().slice(0, 10),
  sends: 1,
  sent: 10,
  failed: 1,
  bounced: 0,
  contactsAdded: 5,
  unsubscribed: 1,
});
const days = Array.from({ length: 30 }, (_, index) => day(index));
const outcome = {
  id: 'h1',
  subject: 'Senior Java developer, Dallas',
  sentAt: minutesAgo(61),
  sent: 300,
  failed: 2,
  bounced: 1,
  skipped: 0,
};
const none = { emailsSentToday: 0, totalLists: 0, activeLists: 0, totalContacts: 0, tier: 'free', recentActivity: [] };

function open(answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone({
      entitlements: { plan: 'pro', dailyLimit: null, sentToday: 2, scheduledToday: 0, remainingToday: null },
    }),
    'GET /api/dashboard/stats': stats,
    'GET /api/dashboard/trends': days,
    'GET /api/dashboard/outcomes': [outcome],
    ...answers,
  });
  return { calls, ...renderApp('/dashboard') };
}

describe('the dashboard', () => {
  it('shows events while it is open', async () => {
    const restore = fakeStream();
    try {
      let recentActivity = stats.recentActivity;
      open({ 'GET /api/dashboard/stats': () => ({ ...stats, recentActivity }) });
      expect(await screen.findByText('priya@vendor.example')).toBeVisible();
      const stream = await openedStream();
      recentActivity = [
        { action: 'Contact unsubscribed', name: 'left@vendor.example', time: minutesAgo(0) },
        ...recentActivity,
      ];
      stream.changed('list', 'l1');
      expect(await screen.findByText('left@vendor.example')).toBeVisible();
      recentActivity = [
        { action: 'Email sent', name: 'React developer, Boston', time: minutesAgo(0) },
        ...recentActivity,
      ];
      stream.changed('send', 'h2');
      expect(await screen.findByText('React developer, Boston')).toBeVisible();
    } finally {
      restore();
    }
  });

  it('shows kinds of events that only a newer server knows', async () => {
    open({
      'GET /api/dashboard/stats': {
        ...stats,
        recentActivity: [{ action: 'Reply received', name: 'priya@vendor.example', time: minutesAgo(3) }],
      },
    });
    expect(await screen.findByText('Reply received')).toBeVisible();
  });

  it('shows the four figures and leads to Send Email', async () => {
    open();
    const figures = await screen.findByRole('region', { name: 'Statistics' });
    for (const text of [
      'Emails sent today',
      '2',
      'Unlimited',
      '4',
      '3 with confirmed contacts',
      '12,400',
      'Pro',
      'Unlimited sends',
    ])
      expect(within(figures).getByText(text)).toBeVisible();
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Send Email' })).toHaveAttribute('href', '/send');
  });

  it('shows recent events and how long ago they happened', async () => {
    open();
    const events = within(await screen.findByRole('region', { name: 'Recent activity' })).getAllByRole('listitem');
    expect(events.map((event) => event.textContent)).toEqual([
      'Contact confirmed3 minutes agopriya@vendor.example',
      'Email sentabout 1 hour agoSenior Java developer, Dallas',
    ]);
  });

  it('draws the last 30 days and describes them in a sentence', async () => {
    open();
    // Waits, because the first import of the chart library takes a while.
    expect(await screen.findByRole('region', { name: 'Sends and deliveries' })).toHaveTextContent(
      '30 sends in the last 30 days: 300 delivered, 30 failed, 0 bounced.',
    );
    expect(screen.getByRole('region', { name: 'List growth' })).toHaveTextContent(
      '150 contacts added in the last 30 days, 30 unsubscribed.',
    );
    expect(await screen.findByRole('region', { name: 'Outcome of your last sends' })).toHaveTextContent(
      'Senior Java developer, Dallas: 300 delivered, 2 failed, 1 bounced, 0 skipped',
    );
  });

  it('counts messages without a final reply separately from delivered ones', async () => {
    open({
      'GET /api/dashboard/trends': days.map((each) => ({ ...each, unconfirmed: 2 })),
      'GET /api/dashboard/outcomes': [{ ...outcome, unconfirmed: 4 }],
    });
    expect(await screen.findByRole('region', { name: 'Sends and deliveries' })).toHaveTextContent(
      '30 sends in the last 30 days: 240 delivered, 60 unconfirmed, 30 failed, 0 bounced.',
    );
    expect(await screen.findByRole('region', { name: 'Outcome of your last sends' })).toHaveTextContent(
      'Senior Java developer, Dallas: 296 delivered, 4 unconfirmed, 2 failed',
    );
  });

  it('reports figures that cannot be loaded, and loads them again', async () => {
    let up = false;
    const { user } = open({ 'GET /api/dashboard/stats': () => (up ? stats : answer({}, 500)) });
    expect(await screen.findByText('Failed to load dashboard statistics')).toBeVisible();
    up = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('12,400')).toBeVisible();
  });

  it('keeps the figures when only the charts fail', async () => {
    let up = false;
    const { user } = open({ 'GET /api/dashboard/trends': () => (up ? days : answer({}, 500)) });
    expect(await screen.findByText('The charts could not be loaded.')).toBeVisible();
    expect(screen.getByText('12,400')).toBeVisible();
    up = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('region', { name: 'List growth' })).toBeVisible();
  });

  it('shows a new account what to do first, without empty charts', async () => {
    const { calls } = open({ 'GET /api/auth/user': someone(), 'GET /api/dashboard/stats': none });
    expect(await screen.findByText('Nothing has happened yet')).toBeVisible();
    expect(screen.getByRole('link', { name: /Manage your lists/ })).toHaveAttribute('href', '/lists');
    expect(screen.getByText('of 1 a day')).toBeVisible();
    expect(calls.some((call) => call.path === '/api/dashboard/trends')).toBe(false);
  });
});

describe('the first steps', () => {
  const steps = {
    verified: true,
    hasList: true,
    hasContact: false,
    hasConfirmed: false,
    hasSent: false,
    dismissed: false,
  };
  const region = () => screen.findByRole('region', { name: 'First steps' });

  it('show what is done and what comes next, and why people confirm first', async () => {
    open({ 'GET /api/dashboard/stats': none, 'GET /api/dashboard/onboarding': steps });
    const shown = within(await region());
    expect(shown.getByText('2 of 5 done')).toBeVisible();
    expect(shown.getAllByRole('listitem').map((step) => /done$/.test(step.textContent ?? ''))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(shown.getByRole('link', { name: 'Add contacts' }).closest('li')).toHaveAttribute('aria-current', 'step');
    expect(shown.getByText(/Only people who confirmed receive your sends/)).toBeVisible();
    expect(screen.queryByRole('link', { name: /Manage your lists/ })).toBeNull();
  });

  it('disappear when all are done', async () => {
    open({ 'GET /api/dashboard/onboarding': { ...steps, hasContact: true, hasConfirmed: true, hasSent: true } });
    expect(await screen.findByRole('region', { name: 'Statistics' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
  });

  it('can be dismissed', async () => {
    let dismissed = false;
    const { user, calls } = open({
      'GET /api/dashboard/onboarding': () => ({ ...steps, dismissed }),
      'POST /api/dashboard/onboarding/dismiss': () => ((dismissed = true), answer(null, 204)),
    });
    await user.click(within(await region()).getByRole('button', { name: 'Hide these steps' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull());
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('the activity on the dashboard', () => {
  it('links to what it is about', async () => {
    const recentActivity = [
      { action: 'Email sent', name: 'A job', time: minutesAgo(1), sendId: 'h1' },
      { action: 'Contact confirmed', name: 'priya@vendor.example', time: minutesAgo(2), listId: 'l1' },
      { action: 'Contact unsubscribed', name: 'gone@vendor.example', time: minutesAgo(3), listId: 'l1' },
      { action: 'List created', name: 'Java vendors', time: minutesAgo(4), listId: 'l1' },
    ];
    open({ 'GET /api/dashboard/stats': { ...stats, recentActivity } });
    const links = within(await screen.findByRole('region', { name: 'Recent activity' })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/history/h1',
      '/lists/l1?q=priya%40vendor.example',
      '/lists/l1?q=gone%40vendor.example&status=unsubscribed',
      '/lists/l1',
    ]);
    expect(await screen.findByRole('link', { name: 'See these sends' })).toHaveAttribute(
      'href',
      `/history?from=${days[0]!.date}`,
    );
    expect(screen.getByRole('link', { name: 'See your lists' })).toHaveAttribute('href', '/lists');
    expect(await screen.findByRole('link', { name: 'All sends' })).toHaveAttribute('href', '/history');
  });
});
