import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import {
  answerConfirmations,
  config,
  confirmation,
  continueToPayment,
  open,
} from '../../../test/fixtures/billing-fixtures';
import { renderApp } from '../../../test/render';
import { browser } from '../../lib/browser';

let redirectTo: jest.SpiedFunction<typeof browser.redirectTo>;

let reload: jest.SpiedFunction<typeof browser.reload>;

let loadedPath: jest.SpiedFunction<typeof browser.loadedPath>;

beforeEach(() => {
  redirectTo = jest.spyOn(browser, 'redirectTo').mockImplementation(() => undefined);
  reload = jest.spyOn(browser, 'reload').mockImplementation(() => undefined);
  loadedPath = jest.spyOn(browser, 'loadedPath').mockReturnValue('/subscribe');
});

afterEach(() => {
  jest.restoreAllMocks();
  delete (window as { Stripe?: unknown }).Stripe;
});

describe('the demo card form', () => {
  const pay = async ({ user }: Pick<ReturnType<typeof renderApp>, 'user'>) => {
    await continueToPayment({ user });
    return screen.findByRole('button', { name: 'Pay $96' });
  };

  it('says that it is a demo, and has no field for a card number', async () => {
    await pay(open());
    expect(screen.getByText('Demo – no real card is charged')).toBeVisible();
    expect(screen.getAllByRole('radio').length).toBeGreaterThan(3);
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.queryByRole('spinbutton')).not.toBeInTheDocument();
  });

  it('confirms the chosen card with key and secret, and follows the return address', async () => {
    const { user } = open();
    const button = await pay({ user });
    answerConfirmations({ status: 'succeeded' });
    await user.click(screen.getByRole('radio', { name: /Visa, is accepted/ }));
    await user.click(button);
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith(`${window.location.origin}/settings?payment=success`));
    expect(Object.fromEntries(new URLSearchParams(confirmation.sent))).toEqual({
      key: 'pk_test_abc',
      client_secret: 'pi_yearly_secret_x',
      payment_method: 'pm_card_visa',
      return_url: `${window.location.origin}/settings?payment=success`,
    });
  });

  it('opens the 3-D Secure page where required', async () => {
    const { user } = open();
    const button = await pay({ user });
    answerConfirmations({
      status: 'requires_action',
      next_action: { redirect_to_url: { url: 'http://localhost/stripe-simulator/3ds/pi_yearly' } },
    });
    await user.click(screen.getByRole('radio', { name: /3-D Secure/ }));
    await user.click(button);
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith('http://localhost/stripe-simulator/3ds/pi_yearly'));
  });

  it("shows the provider's words when the card is declined, and takes another", async () => {
    const { user } = open();
    const button = await pay({ user });
    answerConfirmations({ error: { code: 'card_declined', message: 'Your card was declined.' } }, 402);
    await user.click(screen.getByRole('radio', { name: /is declined/ }));
    await user.click(button);
    expect(await screen.findByText('Payment failed')).toBeVisible();
    expect(screen.getAllByText(/Your card was declined\./).length).toBeGreaterThan(1);
    expect(redirectTo).not.toHaveBeenCalled();
    answerConfirmations({ status: 'succeeded' });
    await user.click(button);
    await waitFor(() => expect(redirectTo).toHaveBeenCalled());
  });

  it('reports an unreachable simulator, and finds a payment made in another tab', async () => {
    const { user } = open();
    const button = await pay({ user });
    const api = globalThis.fetch;
    globalThis.fetch = () => Promise.reject(new TypeError('offline'));
    await user.click(button);
    expect((await screen.findAllByText(/An unexpected error occurred/)).length).toBeGreaterThan(0);
    globalThis.fetch = api;
    answerConfirmations({ error: { code: 'payment_intent_unexpected_state', message: 'You cannot confirm' } }, 400);
    await user.click(button);
    await waitFor(() => expect(redirectTo).toHaveBeenCalledWith(expect.stringContaining('/settings?payment=success')));
  });
});

describe("Stripe's form", () => {
  const calls: { name: string; args: unknown[] }[] = [];
  let verdict: { error: { code?: string; message?: string } };
  let loads = true;

  /** A fake of the part of Stripe.js that the form uses. Stripe's loader keeps the first Stripe.js that it finds. */
  function fakeStripe() {
    calls.length = 0;
    loads = true;
    const element = () => {
      const heard: Record<string, (event: unknown) => void> = {};
      return {
        on: (event: string, then: () => void) => void (heard[event] = then),
        off: () => undefined,
        destroy: () => undefined,
        update: () => undefined,
        mount: () => setTimeout(() => heard[loads ? 'ready' : 'loaderror']?.({ error: {} })),
      };
    };
    const elements = {
      create: element,
      getElement: () => null,
      update: () => undefined,
      submit: async () => ({}),
      fetchUpdates: async () => ({}),
    };
    const record =
      (name: string, answer: unknown) =>
      (...args: unknown[]) => (calls.push({ name, args }), answer);
    const stripe = {
      elements: record('elements', elements),
      createToken: () => undefined,
      createPaymentMethod: () => undefined,
      confirmCardPayment: () => undefined,
      confirmPayment: async (...args: unknown[]) => (calls.push({ name: 'confirmPayment', args }), verdict),
      _registerWrapper: () => undefined,
      registerAppInfo: () => undefined,
    };
    (window as { Stripe?: unknown }).Stripe = Object.assign(record('Stripe', stripe), { version: 'endive' });
  }

  it('is given the key and the secret, and shows why a payment failed', async () => {
    fakeStripe();
    verdict = { error: { code: 'card_declined', message: 'Your card was declined.' } };
    const { user } = open({ 'GET /api/stripe/config': config('test') });
    await continueToPayment({ user });
    const button = await screen.findByRole('button', { name: 'Pay $96' });
    await waitFor(() => expect(button).toBeEnabled());
    await user.click(button);
    expect(await screen.findByText('Payment failed')).toBeVisible();
    expect(calls.find(({ name }) => name === 'Stripe')?.args[0]).toBe('pk_test_abc');
    expect(calls.find(({ name }) => name === 'elements')?.args[0]).toMatchObject({
      clientSecret: 'pi_yearly_secret_x',
    });
    expect(calls.find(({ name }) => name === 'confirmPayment')?.args[0]).toMatchObject({
      confirmParams: { return_url: `${window.location.origin}/settings?payment=success` },
    });
    expect(screen.queryByText(/no real card/)).not.toBeInTheDocument();
    verdict = { error: { code: 'payment_intent_unexpected_state', message: 'x' } };
    await user.click(button);
    await waitFor(() => expect(redirectTo).toHaveBeenCalled());
  });

  it('offers Retry where its fields cannot be loaded', async () => {
    fakeStripe();
    loads = false;
    const { user } = open({ 'GET /api/stripe/config': config('live') });
    await continueToPayment({ user });
    expect(await screen.findByText(/The card form could not be loaded/)).toBeVisible();
    loads = true;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Pay $96' })).toBeEnabled());
  });

  it('reloads the page where another screen was loaded first, before anything is ordered', async () => {
    loadedPath.mockReturnValue('/dashboard');
    const { orders } = open({ 'GET /api/stripe/config': config('live') });
    await waitFor(() => expect(reload).toHaveBeenCalled());
    expect(orders()).toEqual([]);
  });

  it('is never reloaded on the simulator', async () => {
    loadedPath.mockReturnValue('/dashboard');
    await continueToPayment(open());
    expect(await screen.findByRole('button', { name: 'Pay $96' })).toBeEnabled();
    expect(reload).not.toHaveBeenCalled();
  });
});
