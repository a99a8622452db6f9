import { screen } from '@testing-library/react';
import { fakeApi, someone, type Call } from './fake-api';
import { renderApp } from './render';
import { settingsAnswers } from './screen-answers';

export const features = [
  'Unlimited emails per day',
  'Custom email lists',
  'Email history tracking',
  'Priority support',
];

export const plan = (code: string, priceCents: number, billingInterval: string, over = {}) => ({
  code,
  name: 'Pro',
  priceCents,
  billingInterval,
  stripePriceId: `price_${code}`,
  features,
  ...over,
});

export const plans = [plan('pro_monthly', 1000, 'month'), plan('pro_yearly', 9600, 'year')];

export const CREATE_SUBSCRIPTION = 'POST /api/stripe/create-subscription';

export const config = (mode: string) => ({ mode, publishableKey: mode === 'off' ? null : 'pk_test_abc' });

export function open(answers: Record<string, unknown> = {}, path = '/subscribe') {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/billing/plans': plans,
    'GET /api/stripe/config': config('demo'),
    [CREATE_SUBSCRIPTION]: ({ body }: Call) => ({
      status: 'incomplete',
      clientSecret: `pi_${(body as { billingPeriod: string }).billingPeriod}_secret_x`,
    }),
    ...settingsAnswers,
    ...answers,
  });
  const orders = () => calls.filter(({ path: at }) => at === '/api/stripe/create-subscription').map(({ body }) => body);
  return { calls, orders, ...renderApp(path) };
}

/** The form of the last payment confirmation that `answerConfirmations` answered. */
export const confirmation: { sent?: string } = {};

/** Answers the simulator's payment confirmations, whose requests are forms and not JSON. */
export function answerConfirmations(body: unknown, status = 200) {
  const api = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = input as Request;
    if (!/^\/stripe-simulator\/v1\/payment_intents\/pi_\w+\/confirm$/.test(new URL(request.url).pathname))
      return api(input, init);
    confirmation.sent = await request.clone().text();
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  };
}

export const continueToPayment = async ({ user }: Pick<ReturnType<typeof renderApp>, 'user'>) =>
  user.click(await screen.findByRole('button', { name: 'Continue to payment' }));
