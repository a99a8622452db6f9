import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import {
  answerConfirmations,
  config,
  continueToPayment,
  CREATE_SUBSCRIPTION,
  features,
  open,
  plans,
} from '../../../test/fixtures/billing-fixtures';
import { refusal, signedOut } from '../../../test/fake-api';
import { browser } from '../../lib/browser';

let redirectTo: jest.SpiedFunction<typeof browser.redirectTo>;

beforeEach(() => {
  redirectTo = jest.spyOn(browser, 'redirectTo').mockImplementation(() => undefined);
  jest.spyOn(browser, 'reload').mockImplementation(() => undefined);
  jest.spyOn(browser, 'loadedPath').mockReturnValue('/subscribe');
});

afterEach(() => {
  jest.restoreAllMocks();
  delete (window as { Stripe?: unknown }).Stripe;
});

const withPlan = (status: string) => ({
  'GET /api/stripe/subscription-status': {
    hasSubscription: true,
    referralCreditsMonths: '0',
    subscription: { status, currentPeriodEnd: 1_800_000_000, cancelAtPeriodEnd: false },
  },
});

const heading = () => screen.findByRole('heading', { level: 1, name: 'Upgrade to Pro' });

describe('/subscribe', () => {
  it('asks a signed-out visitor to sign in, and returns here', async () => {
    open({ 'GET /api/auth/user': signedOut() });
    expect(await screen.findByRole('heading', { name: 'Authentication Required' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login?next=%2Fsubscribe');
  });

  it('starts with the yearly plan, its price, saving and features, all from the API', async () => {
    const opened = open();
    const { orders } = opened;
    await heading();
    expect(await screen.findByRole('tab', { name: 'Yearly' })).toHaveAttribute('aria-selected', 'true');
    const offer = within(screen.getByRole('region', { name: 'Pro plan' }));
    for (const text of ['$96', 'per year', 'Save $24 a year (20%)', '$8 a month, charged once a year.', ...features])
      expect(offer.getByText(text)).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Continue to payment' })).toBeEnabled();
    expect(orders()).toEqual([]);
    await continueToPayment(opened);
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
    expect(orders()).toEqual([{ priceId: 'price_pro_yearly', billingPeriod: 'yearly' }]);
  });

  it('orders nothing while prices are compared, and orders each price once', async () => {
    const { user, orders, router } = open();
    for (let round = 0; round < 6; round++)
      for (const name of ['Monthly', 'Yearly']) await user.click(await screen.findByRole('tab', { name }));
    expect(orders()).toEqual([]);
    await continueToPayment({ user });
    await screen.findByRole('button', { name: 'Pay $96' });
    await user.click(screen.getByRole('tab', { name: 'Monthly' }));
    expect(router.state.location.search).toBe('?billing=monthly');
    expect(screen.queryByRole('button', { name: /^Pay/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('tab', { name: 'Yearly' }));
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
    expect(orders()).toHaveLength(1);
  });

  it('opens the monthly plan on its tab, and orders that', async () => {
    const { user, orders } = open();
    await continueToPayment({ user });
    await screen.findByRole('button', { name: 'Pay $96' });
    await user.click(screen.getByRole('tab', { name: 'Monthly' }));
    expect(await screen.findByText('$10')).toBeVisible();
    await continueToPayment({ user });
    const button = await screen.findByRole('button', { name: 'Pay $10' });
    answerConfirmations({ status: 'succeeded' });
    await user.click(button);
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith(`${window.location.origin}/settings?payment=success`));
    expect(orders()).toEqual([
      { priceId: 'price_pro_yearly', billingPeriod: 'yearly' },
      { priceId: 'price_pro_monthly', billingPeriod: 'monthly' },
    ]);
  });

  it('does not allow another price while a purchase is being opened, so that the form never holds an outdated secret', async () => {
    const waiting: ((answer: unknown) => void)[] = [];
    const { user, orders } = open({ [CREATE_SUBSCRIPTION]: () => new Promise((resolve) => waiting.push(resolve)) });
    await continueToPayment({ user });
    await waitFor(() => expect(waiting).toHaveLength(1));
    expect(screen.getByRole('tab', { name: 'Monthly' })).toBeDisabled();
    waiting[0]!({ status: 'incomplete', clientSecret: 'pi_1_secret_x' });
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
    await user.click(screen.getByRole('tab', { name: 'Monthly' }));
    await continueToPayment({ user });
    await waitFor(() => expect(waiting).toHaveLength(2));
    expect(screen.queryByRole('button', { name: /^Pay/ })).not.toBeInTheDocument();
    waiting[1]!({ status: 'incomplete', clientSecret: 'pi_2_secret_x' });
    expect(await screen.findByRole('button', { name: 'Pay $10' })).toBeEnabled();
    expect(orders().at(-1)).toEqual({ priceId: 'price_pro_monthly', billingPeriod: 'monthly' });
  });

  it('says Already subscribed and links to the settings', async () => {
    const { router } = open({ [CREATE_SUBSCRIPTION]: { status: 'active' }, ...withPlan('active') });
    expect(await screen.findByText('Already subscribed')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings'));
  });

  it('shows features, prices and that billing is off, and orders nothing', async () => {
    const { orders } = open({
      'GET /api/stripe/config': config('off'),
      'GET /api/billing/plans': plans.map((each) => ({ ...each, stripePriceId: null })),
    });
    expect(await screen.findByText('Billing is not configured')).toBeVisible();
    expect(await screen.findByText('$96')).toBeVisible();
    expect(screen.getByText('Priority support')).toBeVisible();
    expect(orders()).toEqual([]);
  });

  it.each([
    ['Too many requests, please wait', refusal(429, 'rate_limited', 'Too many requests, please wait')],
    ['Failed to create subscription', refusal(500, 'internal', '')],
  ])('says "%s" with a Retry that works', async (message, failure) => {
    let fails = true;
    const { user } = open({
      [CREATE_SUBSCRIPTION]: () => (fails ? failure : { status: 'incomplete', clientSecret: 'pi_1_secret_x' }),
    });
    await continueToPayment({ user });
    expect(await screen.findByText(message)).toBeVisible();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
  });

  it('loads the prices again where the provider was unavailable', async () => {
    let stripePriceId: string | null = null;
    const { user } = open({
      'GET /api/billing/plans': () =>
        plans.map((each) => ({ ...each, stripePriceId: stripePriceId && `${stripePriceId}_${each.code}` })),
    });
    expect(await screen.findByText('The payment provider does not answer. Please try again.')).toBeVisible();
    stripePriceId = 'price';
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await continueToPayment({ user });
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
  });

  it('has a Retry for plans that could not be loaded', async () => {
    let fails = true;
    const { user } = open({ 'GET /api/billing/plans': () => (fails ? refusal(500, 'internal', 'Down') : plans) });
    expect(await screen.findByText('The plans could not be loaded.')).toBeVisible();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('$96')).toBeVisible();
  });

  it('pays the open invoice of a plan in arrears, without a choice', async () => {
    open({ [CREATE_SUBSCRIPTION]: { status: 'past_due', clientSecret: 'pi_1_secret_x' }, ...withPlan('past_due') });
    expect(await screen.findByRole('button', { name: 'Pay open invoice' })).toBeEnabled();
    expect(screen.getByText(/its open invoice: your plan and its period stay/)).toBeVisible();
    expect(screen.queryByRole('tab')).not.toBeInTheDocument();
  });

  it('leads from a paused plan to the billing portal', async () => {
    const { user } = open({
      ...withPlan('paused'),
      [CREATE_SUBSCRIPTION]: refusal(409, 'subscription_paused', 'Resume in the billing portal'),
      'POST /api/stripe/create-portal-session': { url: 'https://billing.example/p' },
    });
    expect(await screen.findByText('Resume in the billing portal')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Billing portal' }));
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('https://billing.example/p'));
  });
});
