import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, refusal, someone } from '../../../test/fake-api';
import { FakeSource, fakeStream, openedStream } from '../../../test/fake-stream';
import { renderApp } from '../../../test/render';
import { settingsAnswers } from '../../../test/fixtures/screen-answers';
import { browser } from '../../lib/browser';

const PERIOD_END = Date.UTC(2027, 0, 5, 12) / 1000;
const status = (subscription: object | null, referralCreditsMonths = '0') => ({
  hasSubscription: subscription !== null,
  referralCreditsMonths,
  subscription,
});
const plan = (over = {}) => ({ status: 'active', currentPeriodEnd: PERIOD_END, cancelAtPeriodEnd: false, ...over });
const pro = someone({
  tier: 'pro',
  entitlements: { plan: 'pro', dailyLimit: null, sentToday: 0, scheduledToday: 0, remainingToday: null },
});
const STATUS_CALL = 'GET /api/stripe/subscription-status';
// Each test defines the plan that it is about, so a test that forgets this fails.
const { [STATUS_CALL]: _status, ...withoutPlan } = settingsAnswers;

let redirectTo: jest.SpiedFunction<typeof browser.redirectTo>;
beforeEach(() => {
  sessionStorage.clear();
  redirectTo = jest.spyOn(browser, 'redirectTo').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
});

function open(answers: Record<string, unknown>, path = '/settings') {
  const calls = fakeApi({
    'GET /api/auth/user': pro,
    ...withoutPlan,
    'GET /api/dashboard/stats': {
      emailsSentToday: 0,
      totalLists: 0,
      activeLists: 0,
      totalContacts: 0,
      tier: 'pro',
      recentActivity: [],
    },
    ...answers,
  });
  const count = (method: string, at: string) =>
    calls.filter((call) => call.method === method && call.path === at).length;
  return { calls, count, ...renderApp(path) };
}
const section = async () => within(await screen.findByRole('region', { name: 'Usage & Subscription' }));

describe('the paid plan in the settings', () => {
  it('is not shown without a plan; Upgrade to Pro is', async () => {
    open({ 'GET /api/auth/user': someone(), [STATUS_CALL]: status(null) });
    const part = await section();
    await waitFor(() => expect(part.queryByRole('status')).not.toBeInTheDocument());
    expect(part.queryByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
    expect(part.getByRole('link', { name: 'Upgrade to Pro' })).toHaveAttribute('href', '/subscribe');
  });

  it('shows its renewal day, and is cancelled after a question that names the consequences', async () => {
    let present = plan();
    const { user, calls } = open({
      [STATUS_CALL]: () => status(present),
      'POST /api/stripe/cancel-subscription': () => status((present = plan({ cancelAtPeriodEnd: true }))),
    });
    const part = await section();
    expect(await part.findByText('Renews on Jan 5, 2027')).toBeVisible();
    expect(part.queryByRole('link', { name: 'Upgrade to Pro' })).not.toBeInTheDocument();
    await user.click(part.getByRole('button', { name: 'Cancel' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Cancel your Pro plan?' }));
    expect(dialog.getByText(/You keep Pro until Jan 5, 2027 and are not charged again/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Cancel plan' }));
    expect(await screen.findByText('Subscription Canceled')).toBeVisible();
    expect(await part.findByText('Cancels on Jan 5, 2027')).toBeVisible();
    expect(calls.find(({ path }) => path === '/api/stripe/cancel-subscription')?.body).toEqual({ immediately: false });
  });

  it('continues when reactivated', async () => {
    let present = plan({ cancelAtPeriodEnd: true });
    const { user } = open({
      [STATUS_CALL]: () => status(present),
      'POST /api/stripe/reactivate-subscription': () => status((present = plan())),
    });
    const part = await section();
    await user.click(await part.findByRole('button', { name: 'Reactivate' }));
    expect(await screen.findByText('Subscription Reactivated')).toBeVisible();
    expect(await part.findByText('Renews on Jan 5, 2027')).toBeVisible();
  });

  it('shows why cancelling failed', async () => {
    const { user } = open({
      [STATUS_CALL]: status(plan()),
      'POST /api/stripe/cancel-subscription': refusal(
        502,
        'billing_unavailable',
        'The payment provider does not answer. Please try again.',
      ),
    });
    const part = await section();
    await user.click(await part.findByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Cancel plan' }));
    expect(await screen.findByText('Cancellation Failed')).toBeVisible();
    expect(screen.getByText('The payment provider does not answer. Please try again.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Keep plan' }));
  });

  it('shows that reactivating failed', async () => {
    const { user } = open({
      [STATUS_CALL]: status(plan({ cancelAtPeriodEnd: true })),
      'POST /api/stripe/reactivate-subscription': refusal(
        400,
        'subscription_ended',
        'This subscription has ended. Please subscribe again.',
      ),
    });
    await user.click(await (await section()).findByRole('button', { name: 'Reactivate' }));
    expect(await screen.findByText('Reactivation Failed')).toBeVisible();
    expect(screen.getByText('This subscription has ended. Please subscribe again.')).toBeVisible();
  });

  it('opens the billing portal, and is refetched when the user returns', async () => {
    const first = open({
      [STATUS_CALL]: status(plan()),
      'POST /api/stripe/create-portal-session': { url: 'https://billing.example/p' },
    });
    await first.user.click(await (await section()).findByRole('button', { name: 'Billing portal' }));
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://billing.example/p'));
    first.unmount();
    let present = plan();
    const { count } = open({ [STATUS_CALL]: () => status(present) });
    await (await section()).findByText(/Renews on/);
    present = plan({ cancelAtPeriodEnd: true });
    await waitFor(() => expect(count('GET', '/api/stripe/subscription-status')).toBeGreaterThan(1));
    expect(await screen.findByText('Cancels on Jan 5, 2027')).toBeVisible();
  });

  it('shows that the portal could not be opened', async () => {
    const { user } = open({
      [STATUS_CALL]: status(plan()),
      'POST /api/stripe/create-portal-session': refusal(503, 'billing_off', 'Billing is not configured'),
    });
    await user.click(await (await section()).findByRole('button', { name: 'Billing portal' }));
    expect(await screen.findByText('Failed to open billing portal. Please try again.')).toBeVisible();
    expect(redirectTo).not.toHaveBeenCalled();
  });

  it.each([
    ['past_due', pro, /You keep Pro for 7 days after the failed payment/],
    ['past_due', someone(), /you are on Free until it is paid/],
    ['unpaid', someone(), /Your invoice was never paid/],
  ])('says what to do when %s', async (word, person, text) => {
    const { user } = open({ 'GET /api/auth/user': person, [STATUS_CALL]: status(plan({ status: word })) });
    const part = await section();
    expect(await part.findByText(text)).toBeVisible();
    expect(part.getByText('Payment is due.')).toBeVisible();
    expect(part.getByRole('link', { name: 'Pay now' })).toHaveAttribute('href', '/subscribe');
    await user.click(part.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText(/Your plan ends at once/)).toBeVisible();
  });

  it('leads from a paused plan to the portal', async () => {
    open({ 'GET /api/auth/user': someone(), [STATUS_CALL]: status(plan({ status: 'paused' })) });
    const part = await section();
    expect(await part.findByText(/Resume it in the billing portal/)).toBeVisible();
    expect(part.getByText('Your plan is paused.')).toBeVisible();
  });

  it('explains referral months', async () => {
    const months = (person: object) => ({ ...person, referralCreditsMonths: '2' });
    const first = open({ 'GET /api/auth/user': months(pro), [STATUS_CALL]: status(plan(), '2') });
    expect(await (await section()).findByText('Months earned by referrals come off your next invoices.')).toBeVisible();
    expect((await section()).getByText('2 months free from referrals')).toBeVisible();
    await first.user.click((await section()).getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText(/Your 2 months from referrals run after that/)).toBeVisible();
    first.unmount();
    open({ 'GET /api/auth/user': months(pro), [STATUS_CALL]: status(null, '2') });
    expect(await (await section()).findByText(/keep you on Pro until they have run out/)).toBeVisible();
    expect((await section()).queryByRole('link', { name: 'Upgrade to Pro' })).not.toBeInTheDocument();
  });

  it('has a Retry where it could not be loaded', async () => {
    let fails = true;
    const { user } = open({ [STATUS_CALL]: () => (fails ? refusal(500, 'internal', 'Down') : status(plan())) });
    const part = await section();
    expect(await part.findByText('Your plan could not be loaded.')).toBeVisible();
    fails = false;
    await user.click(part.getByRole('button', { name: 'Retry' }));
    expect(await part.findByText(/Renews on/)).toBeVisible();
  });
});

describe('/settings?payment=success', () => {
  it('trusts nothing in the address', async () => {
    const { router } = open(
      { 'GET /api/auth/user': someone(), [STATUS_CALL]: status(null) },
      '/settings?payment=success&redirect_status=succeeded',
    );
    const part = await section();
    expect(await part.findByText(/No payment has arrived yet/)).toBeVisible();
    expect(part.getByText('Free plan')).toBeVisible();
    expect(screen.queryByText('You are on Pro')).not.toBeInTheDocument();
    expect(part.getByRole('link', { name: 'Back to payment' })).toHaveAttribute('href', '/subscribe');
    expect(router.state.location.search).toContain('payment=success');
  });

  it('shows success once the server does, shows Pro, and removes the parameter from the address', async () => {
    let paid = false;
    const { user, router } = open(
      { 'GET /api/auth/user': () => (paid ? pro : someone()), [STATUS_CALL]: () => status(paid ? plan() : null) },
      '/settings?payment=success',
    );
    const part = await section();
    await part.findByText(/No payment has arrived yet/);
    paid = true;
    await user.click(part.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByText('You are on Pro')).toBeVisible();
    expect(await part.findByText('Pro plan')).toBeVisible();
    expect(part.getByText('Renews on Jan 5, 2027')).toBeVisible();
    expect(router.state.location.search).toBe('');
    expect(screen.getAllByText('You are on Pro')).toHaveLength(1);
  });

  it('learns of the payment from the stream of changes, without polling', async () => {
    const restore = fakeStream();
    jest.useFakeTimers({ advanceTimers: true });
    try {
      let paid = false;
      const { count } = open({ [STATUS_CALL]: () => status(paid ? plan() : null) }, '/settings?payment=success');
      await (await section()).findByText(/No payment has arrived yet/);
      const stream = await openedStream();
      const before = count('GET', '/api/stripe/subscription-status');
      await act(() => jest.advanceTimersByTimeAsync(60_000));
      expect(count('GET', '/api/stripe/subscription-status')).toBe(before);
      paid = true;
      (FakeSource.current ?? stream).changed('plan');
      expect(await screen.findByText('You are on Pro')).toBeVisible();
    } finally {
      jest.useRealTimers();
      restore();
    }
  });
});
