import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, refusal, signedOut, someone, type Call } from '../../../test/fake-api';
import { renderApp } from '../../../test/render';
import { browser } from '../../lib/browser';

const features = ['Unlimited emails per day', 'Custom email lists', 'Email history tracking', 'Priority support'];
const plan = (code: string, priceCents: number, billingInterval: string, over = {}) => ({ code, name: 'Pro', priceCents, billingInterval, stripePriceId: `price_${code}`, features, ...over });
const plans = [plan('pro_monthly', 1000, 'month'), plan('pro_yearly', 9600, 'year')];
const CREATE = 'POST /api/stripe/create-subscription';
const config = (mode: string) => ({ mode, publishableKey: mode === 'off' ? null : 'pk_test_abc' });

let leave: jest.SpiedFunction<typeof browser.leave>;
let reload: jest.SpiedFunction<typeof browser.reload>;
let loadedPath: jest.SpiedFunction<typeof browser.loadedPath>;
beforeEach(() => {
  leave = jest.spyOn(browser, 'leave').mockImplementation(() => undefined);
  reload = jest.spyOn(browser, 'reload').mockImplementation(() => undefined);
  loadedPath = jest.spyOn(browser, 'loadedPath').mockReturnValue('/subscribe');
});
afterEach(() => {
  jest.restoreAllMocks();
  delete (window as { Stripe?: unknown }).Stripe;
});

function open(answers: Record<string, unknown> = {}, path = '/subscribe') {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/billing/plans': plans,
    'GET /api/stripe/config': config('demo'),
    [CREATE]: ({ body }: Call) => ({ status: 'incomplete', clientSecret: `pi_${(body as { billingPeriod: string }).billingPeriod}_secret_x` }),
    'GET /api/stripe/subscription-status': { hasSubscription: false, referralCreditsMonths: '0', subscription: null },
    ...answers,
  });
  const orders = () => calls.filter(({ path: at }) => at === '/api/stripe/create-subscription').map(({ body }) => body);
  return { calls, orders, ...renderApp(path) };
}
const withPlan = (status: string) => ({ 'GET /api/stripe/subscription-status': { hasSubscription: true, referralCreditsMonths: '0', subscription: { status, currentPeriodEnd: 1_800_000_000, cancelAtPeriodEnd: false } } });
const goOn = async ({ user }: Pick<ReturnType<typeof renderApp>, 'user'>) => user.click(await screen.findByRole('button', { name: 'Continue to payment' }));
const heading = () => screen.findByRole('heading', { level: 1, name: 'Upgrade to Pro' });

let sent: string | undefined;
/** The simulator's answer to a confirmation; it speaks forms, not JSON. */
function answering(body: unknown, status = 200) {
  const api = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = input as Request;
    if (!/^\/stripe-simulator\/v1\/payment_intents\/pi_\w+\/confirm$/.test(new URL(request.url).pathname)) return api(input, init);
    sent = await request.clone().text();
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  };
}

describe('/subscribe', () => {
  it('asks a signed-out visitor to sign in, and comes back', async () => {
    open({ 'GET /api/auth/user': signedOut() });
    expect(await screen.findByRole('heading', { name: 'Authentication Required' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login?next=%2Fsubscribe');
  });

  it('starts with the yearly plan, its price, what it saves and what it brings, all from the API', async () => {
    const opened = open();
    const { orders } = opened;
    await heading();
    expect(await screen.findByRole('tab', { name: 'Yearly' })).toHaveAttribute('aria-selected', 'true');
    const offer = within(screen.getByRole('region', { name: 'Pro plan' }));
    for (const text of ['$96', 'per year', 'Save $24 a year (20%)', '$8 a month, charged once a year.', ...features]) expect(offer.getByText(text)).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Continue to payment' })).toBeEnabled();
    expect(orders()).toEqual([]);
    await goOn(opened);
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
    expect(orders()).toEqual([{ priceId: 'price_pro_yearly', billingPeriod: 'yearly' }]);
  });

  it('orders nothing while prices are compared, and each price once', async () => {
    const { user, orders, router } = open();
    for (let round = 0; round < 6; round++) for (const name of ['Monthly', 'Yearly']) await user.click(await screen.findByRole('tab', { name }));
    expect(orders()).toEqual([]);
    await goOn({ user });
    await screen.findByRole('button', { name: 'Pay $96' });
    await user.click(screen.getByRole('tab', { name: 'Monthly' }));
    expect(router.state.location.search).toBe('?billing=monthly');
    expect(screen.queryByRole('button', { name: /^Pay/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('tab', { name: 'Yearly' }));
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
    expect(orders()).toHaveLength(1);
  });

  it('opens the monthly one on its tab, and pays that', async () => {
    const { user, orders } = open();
    await goOn({ user });
    await screen.findByRole('button', { name: 'Pay $96' });
    await user.click(screen.getByRole('tab', { name: 'Monthly' }));
    expect(await screen.findByText('$10')).toBeVisible();
    await goOn({ user });
    const button = await screen.findByRole('button', { name: 'Pay $10' });
    answering({ status: 'succeeded' });
    await user.click(button);
    await waitFor(() => expect(leave).toHaveBeenCalledWith(`${window.location.origin}/settings?payment=success`));
    expect(orders()).toEqual([{ priceId: 'price_pro_yearly', billingPeriod: 'yearly' }, { priceId: 'price_pro_monthly', billingPeriod: 'monthly' }]);
  });

  it('lets no other price be chosen while a purchase is being opened, so that the form never holds a secret that is over', async () => {
    const waiting: ((answer: unknown) => void)[] = [];
    const { user, orders } = open({ [CREATE]: () => new Promise((resolve) => waiting.push(resolve)) });
    await goOn({ user });
    await waitFor(() => expect(waiting).toHaveLength(1));
    expect(screen.getByRole('tab', { name: 'Monthly' })).toBeDisabled();
    waiting[0]!({ status: 'incomplete', clientSecret: 'pi_1_secret_x' });
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
    await user.click(screen.getByRole('tab', { name: 'Monthly' }));
    await goOn({ user });
    await waitFor(() => expect(waiting).toHaveLength(2));
    expect(screen.queryByRole('button', { name: /^Pay/ })).not.toBeInTheDocument();
    waiting[1]!({ status: 'incomplete', clientSecret: 'pi_2_secret_x' });
    expect(await screen.findByRole('button', { name: 'Pay $10' })).toBeEnabled();
    expect(orders().at(-1)).toEqual({ priceId: 'price_pro_monthly', billingPeriod: 'monthly' });
  });

  it('says Already subscribed and leads to the settings', async () => {
    const { router } = open({ [CREATE]: { status: 'active' }, ...withPlan('active') });
    expect(await screen.findByText('Already subscribed')).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings'));
  });

  it('shows features, prices and that billing is off, and asks for nothing', async () => {
    const { orders } = open({ 'GET /api/stripe/config': config('off'), 'GET /api/billing/plans': plans.map((each) => ({ ...each, stripePriceId: null })) });
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
    const { user } = open({ [CREATE]: () => (fails ? failure : { status: 'incomplete', clientSecret: 'pi_1_secret_x' }) });
    await goOn({ user });
    expect(await screen.findByText(message)).toBeVisible();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
  });

  it('asks for prices again where the provider was away', async () => {
    let stripePriceId: string | null = null;
    const { user } = open({ 'GET /api/billing/plans': () => plans.map((each) => ({ ...each, stripePriceId: stripePriceId && `${stripePriceId}_${each.code}` })) });
    expect(await screen.findByText('The payment provider does not answer. Please try again.')).toBeVisible();
    stripePriceId = 'price';
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await goOn({ user });
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

  it('pays the open invoice of a plan in arrears, with nothing to choose', async () => {
    open({ [CREATE]: { status: 'past_due', clientSecret: 'pi_1_secret_x' }, ...withPlan('past_due') });
    expect(await screen.findByRole('button', { name: 'Pay open invoice' })).toBeEnabled();
    expect(screen.getByText(/its open invoice: your plan and its period stay/)).toBeVisible();
    expect(screen.queryByRole('tab')).not.toBeInTheDocument();
  });

  it('leads a paused plan to the billing portal', async () => {
    const { user } = open({ ...withPlan('paused'), [CREATE]: refusal(409, 'subscription_paused', 'Resume in the billing portal'), 'POST /api/stripe/create-portal-session': { url: 'https://billing.example/p' } });
    expect(await screen.findByText('Resume in the billing portal')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Billing portal' }));
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://billing.example/p'));
  });
});

describe('the demo form', () => {
  const pay = async ({ user }: Pick<ReturnType<typeof renderApp>, 'user'>) => {
    await goOn({ user });
    return screen.findByRole('button', { name: 'Pay $96' });
  };

  it('says that it is one, and has no field for a number', async () => {
    await pay(open());
    expect(screen.getByText('Demo – no real card is charged')).toBeVisible();
    expect(screen.getAllByRole('radio').length).toBeGreaterThan(3);
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.queryByRole('spinbutton')).not.toBeInTheDocument();
  });

  it('confirms the chosen card with key and secret, and follows the return address', async () => {
    const { user } = open();
    const button = await pay({ user });
    answering({ status: 'succeeded' });
    await user.click(screen.getByRole('radio', { name: /Visa, is accepted/ }));
    await user.click(button);
    await waitFor(() => expect(leave).toHaveBeenCalledWith(`${window.location.origin}/settings?payment=success`));
    expect(Object.fromEntries(new URLSearchParams(sent))).toEqual({
      key: 'pk_test_abc', client_secret: 'pi_yearly_secret_x', payment_method: 'pm_card_visa', return_url: `${window.location.origin}/settings?payment=success`,
    });
  });

  it('opens the 3-D Secure page where it is asked for', async () => {
    const { user } = open();
    const button = await pay({ user });
    answering({ status: 'requires_action', next_action: { redirect_to_url: { url: 'http://localhost/stripe-simulator/3ds/pi_yearly' } } });
    await user.click(screen.getByRole('radio', { name: /3-D Secure/ }));
    await user.click(button);
    await waitFor(() => expect(leave).toHaveBeenCalledWith('http://localhost/stripe-simulator/3ds/pi_yearly'));
  });

  it("shows the provider's words when the card is declined, and takes another", async () => {
    const { user } = open();
    const button = await pay({ user });
    answering({ error: { code: 'card_declined', message: 'Your card was declined.' } }, 402);
    await user.click(screen.getByRole('radio', { name: /is declined/ }));
    await user.click(button);
    expect(await screen.findByText('Payment failed')).toBeVisible();
    expect(screen.getAllByText(/Your card was declined\./).length).toBeGreaterThan(1);
    expect(leave).not.toHaveBeenCalled();
    answering({ status: 'succeeded' });
    await user.click(button);
    await waitFor(() => expect(leave).toHaveBeenCalled());
  });

  it('says so when nothing answers, and finds out about a payment made in another tab', async () => {
    const { user } = open();
    const button = await pay({ user });
    const api = globalThis.fetch;
    globalThis.fetch = () => Promise.reject(new TypeError('offline'));
    await user.click(button);
    expect((await screen.findAllByText(/An unexpected error occurred/)).length).toBeGreaterThan(0);
    globalThis.fetch = api;
    answering({ error: { code: 'payment_intent_unexpected_state', message: 'You cannot confirm' } }, 400);
    await user.click(button);
    await waitFor(() => expect(leave).toHaveBeenCalledWith(expect.stringContaining('/settings?payment=success')));
  });
});

describe("Stripe's form", () => {
  const calls: { name: string; args: unknown[] }[] = [];
  let verdict: { error: { code?: string; message?: string } };
  let loads = true;

  /** As much of Stripe.js as the form uses; the loader keeps the first that it finds. */
  function fakeStripe() {
    calls.length = 0;
    loads = true;
    const element = () => {
      const heard: Record<string, (event: unknown) => void> = {};
      return { on: (event: string, then: () => void) => void (heard[event] = then), off: () => undefined, destroy: () => undefined, update: () => undefined, mount: () => setTimeout(() => heard[loads ? 'ready' : 'loaderror']?.({ error: {} })) };
    };
    const elements = { create: element, getElement: () => null, update: () => undefined, submit: async () => ({}), fetchUpdates: async () => ({}) };
    const record = (name: string, answer: unknown) => (...args: unknown[]) => (calls.push({ name, args }), answer);
    const stripe = { elements: record('elements', elements), createToken: () => undefined, createPaymentMethod: () => undefined, confirmCardPayment: () => undefined, confirmPayment: async (...args: unknown[]) => (calls.push({ name: 'confirmPayment', args }), verdict), _registerWrapper: () => undefined, registerAppInfo: () => undefined };
    (window as { Stripe?: unknown }).Stripe = Object.assign(record('Stripe', stripe), { version: 'endive' });
  }

  it('is given the key and the secret, and shows why a payment failed', async () => {
    fakeStripe();
    verdict = { error: { code: 'card_declined', message: 'Your card was declined.' } };
    const { user } = open({ 'GET /api/stripe/config': config('test') });
    await goOn({ user });
    const button = await screen.findByRole('button', { name: 'Pay $96' });
    await waitFor(() => expect(button).toBeEnabled());
    await user.click(button);
    expect(await screen.findByText('Payment failed')).toBeVisible();
    expect(calls.find(({ name }) => name === 'Stripe')?.args[0]).toBe('pk_test_abc');
    expect(calls.find(({ name }) => name === 'elements')?.args[0]).toMatchObject({ clientSecret: 'pi_yearly_secret_x' });
    expect(calls.find(({ name }) => name === 'confirmPayment')?.args[0]).toMatchObject({ confirmParams: { return_url: `${window.location.origin}/settings?payment=success` } });
    expect(screen.queryByText(/no real card/)).not.toBeInTheDocument();
    verdict = { error: { code: 'payment_intent_unexpected_state', message: 'x' } };
    await user.click(button);
    await waitFor(() => expect(leave).toHaveBeenCalled());
  });

  it('offers Retry where its fields cannot be loaded', async () => {
    fakeStripe();
    loads = false;
    const { user } = open({ 'GET /api/stripe/config': config('live') });
    await goOn({ user });
    expect(await screen.findByText(/The card form could not be loaded/)).toBeVisible();
    loads = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Pay $96' })).toBeEnabled());
  });

  it('loads the page anew where another screen was loaded, before anything is ordered', async () => {
    loadedPath.mockReturnValue('/dashboard');
    const { orders } = open({ 'GET /api/stripe/config': config('live') });
    await waitFor(() => expect(reload).toHaveBeenCalled());
    expect(orders()).toEqual([]);
  });

  it('never does so on the simulator', async () => {
    loadedPath.mockReturnValue('/dashboard');
    await goOn(open());
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
    expect(reload).not.toHaveBeenCalled();
  });
});
