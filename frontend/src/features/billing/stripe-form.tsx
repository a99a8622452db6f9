import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import { useEffect, useMemo, useReducer, useState } from 'react';
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Appearance, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { browser } from '../../lib/browser';
import { SectionError } from '../../ui/loading/section-error';
import { messages } from './messages';
import { FormSkeleton, PaymentForm, type CardFormProps } from './payment-form';

/** Stripe's card form in Stripe's own frame: card data never reach this page. Stripe's script is loaded here only. */
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

/**
 * Loads Stripe's script.
 * @returns undefined while the script loads, null if loading failed
 */
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

function CardForm({
  returnUrl,
  payLabel,
  onReload,
}: Pick<CardFormProps, 'returnUrl' | 'payLabel'> & { onReload: () => void }) {
  const stripe = useStripe();
  const elements = useElements();
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const pay = async () => {
    if (!stripe || !elements) return messages.unexpected;
    const checked = await elements.submit();
    if (checked.error) return checked.error.message ?? messages.unexpected;
    const { error } = await stripe.confirmPayment({ elements, confirmParams: { return_url: returnUrl } });
    // Probably paid in another tab; the screen at the return URL checks it.
    if (error.code === 'payment_intent_unexpected_state') {
      browser.redirectTo(returnUrl);
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

const COLOURS = {
  colorPrimary: 'primary-main',
  colorBackground: 'surface-panel',
  colorText: 'text-primary',
  colorTextSecondary: 'text-secondary',
  colorDanger: 'error-main',
};

/**
 * The present colour scheme for Stripe's form. Stripe's frame cannot read our CSS variables, so the form gets their
 * values.
 */
function useAppearance(): Appearance {
  const { colorScheme } = useColorScheme();
  return useMemo(() => {
    const styles = getComputedStyle(document.documentElement);
    const colours = Object.entries(COLOURS).map(([name, token]) => [
      name,
      styles.getPropertyValue(`--sc-palette-${token}`).trim(),
    ]);
    const known = Object.fromEntries(colours.filter(([, value]) => value)) as Record<string, string>;
    return {
      theme: colorScheme === 'light' ? 'stripe' : 'night',
      variables: { ...known, borderRadius: '8px', fontFamily: 'system-ui, sans-serif', fontSizeBase: '14px' },
    };
  }, [colorScheme]);
}
