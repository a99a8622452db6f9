import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { browser } from '../../lib/browser';
import { RadioCards, type CardChoice } from '../../ui/form/radio-cards';
import { IconAlert } from '../../ui/icons';
import { messages } from './messages';
import { PaymentForm, type CardFormProps } from './payment-form';

/** The simulator's card form: named test cards instead of a number. */
export default function DemoCardForm({ publishableKey, clientSecret, returnUrl, payLabel }: CardFormProps) {
  const [card, setCard] = useState<TestCard>(TEST_CARDS[0].value);
  const pay = async () => {
    const confirmed = await confirmPayment({ publishableKey, clientSecret, card, returnUrl });
    if (confirmed.outcome === 'refused') return confirmed.message;
    browser.redirectTo(confirmed.outcome === 'challenged' ? confirmed.url : returnUrl);
    return null;
  };
  return (
    <PaymentForm payLabel={payLabel} onPay={pay}>
      <Alert severity="warning" icon={<IconAlert size={18} aria-hidden />}>
        Demo – no real card is charged
      </Alert>
      <RadioCards legend="Test card" name="card" columns={1} choices={TEST_CARDS} value={card} onChange={setCard} />
    </PaymentForm>
  );
}

/** Stripe's test payment methods by name, so that nobody types a real card number. */
const TEST_CARDS = [
  { value: 'pm_card_visa', label: 'Visa, is accepted', text: 'The payment goes through.' },
  {
    value: 'pm_card_threeDSecure2Required',
    label: 'Visa, asks for 3-D Secure',
    text: 'A page of the bank comes first; it can pass or fail.',
  },
  { value: 'pm_card_visa_chargeDeclined', label: 'Visa, is declined', text: 'The bank refuses the charge.' },
  {
    value: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    label: 'Visa, has insufficient funds',
    text: 'The bank refuses the charge and says why.',
  },
  {
    value: 'pm_card_createDispute',
    label: 'Visa, the payment is disputed',
    text: 'The payment goes through and is questioned afterwards.',
  },
] as const satisfies readonly CardChoice<string>[];

type TestCard = (typeof TEST_CARDS)[number]['value'];

interface Payment {
  publishableKey: string;
  clientSecret: string;
  card: string;
  returnUrl: string;
}

type Confirmed = { outcome: 'paid' } | { outcome: 'challenged'; url: string } | { outcome: 'refused'; message: string };

interface Intent {
  status?: string;
  next_action?: { redirect_to_url?: { url?: string } } | null;
  error?: { code?: string; message?: string };
}

/** Confirms a payment at the simulator, as Stripe's script does at Stripe. */
async function confirmPayment({ publishableKey, clientSecret, card, returnUrl }: Payment): Promise<Confirmed> {
  const intent = clientSecret.split('_secret_')[0] ?? '';
  const response = await fetch(
    new Request(
      new URL(`/stripe-simulator/v1/payment_intents/${encodeURIComponent(intent)}/confirm`, window.location.origin),
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          key: publishableKey,
          client_secret: clientSecret,
          payment_method: card,
          return_url: returnUrl,
        }).toString(),
      },
    ),
  );
  const { status, next_action: next, error } = (await response.json()) as Intent;
  // Probably paid in another tab; the screen at the return URL checks it.
  if (status === 'succeeded' || error?.code === 'payment_intent_unexpected_state') return { outcome: 'paid' };
  const url = next?.redirect_to_url?.url;
  if (url) return { outcome: 'challenged', url };
  return { outcome: 'refused', message: error?.message ?? messages.unexpected };
}
