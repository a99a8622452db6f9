import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import Box from '@mui/material/Box';
import { useEffect, useReducer, useState } from 'react';
import { SectionError } from '../../../ui/section-error';
import { browser } from '../../../lib/browser';
import { messages } from '../messages';
import { useAppearance } from '../use-appearance';
import { FormSkeleton } from './form-skeleton';
import { type CardFormProps, PaymentForm } from './payment-form';

/** Stripe's card form. Its script comes from Stripe, here and nowhere else: card data never touch our page. */
export default function StripeForm({ publishableKey, clientSecret, ...rest }: CardFormProps) {
  const [stripe, retry] = useStripeScript(publishableKey);
  const appearance = useAppearance();
  if (stripe === undefined) return <FormSkeleton />;
  if (stripe === null) return <SectionError message={messages.formFailed} onRetry={retry} />;
  return (
    <Elements stripe={stripe} options={{ clientSecret, appearance, locale: 'en' }}>
      <CardForm onReload={retry} {...rest} />
    </Elements>
  );
}

/** Undefined while it is under way, null where it could not be had. */
function useStripeScript(publishableKey: string): [Stripe | null | undefined, retry: () => void] {
  const [attempt, retry] = useReducer((count: number) => count + 1, 0);
  const [found, setFound] = useState<{ attempt: number; stripe: Stripe | null }>();
  useEffect(() => {
    let isCurrent = true;
    const settle = (stripe: Stripe | null) => isCurrent && setFound({ attempt, stripe });
    loadStripe(publishableKey).then(settle, () => settle(null));
    return () => {
      isCurrent = false;
    };
  }, [publishableKey, attempt]);
  return [found?.attempt === attempt ? found.stripe : undefined, retry];
}

function CardForm({ returnUrl, payLabel, onReload }: Pick<CardFormProps, 'returnUrl' | 'payLabel'> & { onReload: () => void }) {
  const stripe = useStripe();
  const elements = useElements();
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const pay = async () => {
    if (!stripe || !elements) return messages.unexpected;
    const checked = await elements.submit();
    if (checked.error) return checked.error.message ?? messages.unexpected;
    const { error } = await stripe.confirmPayment({ elements, confirmParams: { return_url: returnUrl } });
    // Paid in another tab: whether so, the screen behind the return address finds out.
    if (error.code === 'payment_intent_unexpected_state') {
      browser.leave(returnUrl);
      return null;
    }
    return error.message ?? messages.unexpected;
  };
  if (state === 'failed') return <SectionError message={messages.formFailed} onRetry={onReload} />;
  return (
    <PaymentForm payLabel={payLabel} isReady={state === 'ready'} onPay={pay}>
      {state === 'loading' && <FormSkeleton />}
      <Box sx={{ minHeight: 1 }}>
        <PaymentElement onReady={() => setState('ready')} onLoadError={() => setState('failed')} />
      </Box>
    </PaymentForm>
  );
}
