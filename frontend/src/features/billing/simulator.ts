import { messages } from './messages';

interface Payment {
  publishableKey: string;
  clientSecret: string;
  card: string;
  returnUrl: string;
}

export type Confirmed = { outcome: 'paid' } | { outcome: 'challenged'; url: string } | { outcome: 'refused'; message: string };

interface Intent {
  status?: string;
  next_action?: { redirect_to_url?: { url?: string } } | null;
  error?: { code?: string; message?: string };
}

/** What Stripe's own script does with a card, against the simulator on our own address. */
export async function confirmPayment({ publishableKey, clientSecret, card, returnUrl }: Payment): Promise<Confirmed> {
  const intent = clientSecret.split('_secret_')[0] ?? '';
  const response = await fetch(new Request(new URL(`/stripe-simulator/v1/payment_intents/${encodeURIComponent(intent)}/confirm`, window.location.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ key: publishableKey, client_secret: clientSecret, payment_method: card, return_url: returnUrl }).toString(),
  }));
  const { status, next_action: next, error } = (await response.json()) as Intent;
  // Paid in another tab: whether so, the screen behind the return address finds out.
  if (status === 'succeeded' || error?.code === 'payment_intent_unexpected_state') return { outcome: 'paid' };
  const url = next?.redirect_to_url?.url;
  if (url) return { outcome: 'challenged', url };
  return { outcome: 'refused', message: error?.message ?? messages.unexpected };
}
