import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { answer, fakeApi, someone } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const stats = {
  emailsSentToday: 2, totalLists: 4, activeLists: 3, totalContacts: 12_400, tier: 'pro',
  recentActivity: [
    { action: 'Contact confirmed', name: 'priya@vendor.example', time: minutesAgo(3) },
    { action: 'Email sent', name: 'Senior Java developer, Dallas', time: minutesAgo(61) },
  ],
};
const day = (index: number) => ({
  date: new Date(Date.UTC(2026, 10, 1 + index)).toISOString().slice(0, 10), sends: 1, sent: 10, failed: 1, bounced: 0, contactsAdded: 5, unsubscribed: 1,
});
const days = Array.from({ length: 30 }, (_, index) => day(index));
const outcome = { id: 'h1', subject: 'Senior Java developer, Dallas', sentAt: minutesAgo(61), sent: 300, failed: 2, bounced: 1, skipped: 0 };
const none = { emailsSentToday: 0, totalLists: 0, activeLists: 0, totalContacts: 0, tier: 'free', recentActivity: [] };

function open(answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone({ entitlements: { plan: 'pro', dailyLimit: null, sentToday: 2, remainingToday: null } }),
    'GET /api/dashboard/stats': stats,
    'GET /api/dashboard/trends': days,
    'GET /api/dashboard/outcomes': [outcome],
    ...answers,
  });
  return { calls, ...renderApp('/dashboard') };
}

describe('the dashboard', () => {
  it('shows what a newer server tells of and this page does not know', async () => {
    open({ 'GET /api/dashboard/stats': { ...stats, recentActivity: [{ action: 'Reply received', name: 'priya@vendor.example', time: minutesAgo(3) }] } });
    expect(await screen.findByText('Reply received')).toBeVisible();
  });

  it('shows the four figures and leads to Send Email', async () => {
    open();
    const figures = await screen.findByRole('region', { name: 'Statistics' });
    for (const text of ['Emails sent today', '2', 'Unlimited', '4', '3 with confirmed contacts', '12,400', 'Pro', 'Unlimited sends']) expect(within(figures).getByText(text)).toBeVisible();
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Send Email' })).toHaveAttribute('href', '/send');
  });

  it('tells what happened lately and how long ago', async () => {
    open();
    const events = within(await screen.findByRole('region', { name: 'Recent activity' })).getAllByRole('listitem');
    expect(events.map((event) => event.textContent)).toEqual(['Contact confirmed3 minutes agopriya@vendor.example', 'Email sentabout 1 hour agoSenior Java developer, Dallas']);
  });

  it('draws the last 30 days and says them in a sentence', async () => {
    open();
    // The first import of the chart library takes its time.
    expect(await screen.findByRole('region', { name: 'Sends and deliveries' }, { timeout: 15_000 })).toHaveTextContent('30 sends in the last 30 days: 300 delivered, 30 failed, 0 bounced.');
    expect(screen.getByRole('region', { name: 'List growth' })).toHaveTextContent('150 contacts added in the last 30 days, 30 unsubscribed.');
    expect(await screen.findByRole('region', { name: 'Outcome of your last sends' }, { timeout: 15_000 })).toHaveTextContent('Senior Java developer, Dallas: 300 delivered, 2 failed, 1 bounced, 0 skipped');
  });

  it('says so when the figures cannot be loaded, and tries again', async () => {
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
    expect(await screen.findByRole('region', { name: 'List growth' }, { timeout: 15_000 })).toBeVisible();
  });

  it('shows a new account what to do first, without empty charts', async () => {
    const { calls } = open({ 'GET /api/auth/user': someone(), 'GET /api/dashboard/stats': none });
    expect(await screen.findByText('Nothing has happened yet')).toBeVisible();
    expect(screen.getByRole('link', { name: /Keep your lists/ })).toHaveAttribute('href', '/lists');
    expect(screen.getByText('of 1 a day')).toBeVisible();
    expect(calls.some((call) => call.path === '/api/dashboard/trends')).toBe(false);
  });
});
