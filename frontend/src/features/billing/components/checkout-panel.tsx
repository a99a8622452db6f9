import { lazy, Suspense } from 'react';
import { PAYMENT_RETURN } from '../../../lib/routes';
import type { StripeConfig } from '../api';
import { FormSkeleton } from './form-skeleton';
import type { CardFormProps } from './payment-form';

const StripeForm = lazy(() => import('./stripe-form'));
const DemoCardForm = lazy(() => import('./demo-card-form'));

interface CheckoutPanelProps extends Pick<CardFormProps, 'clientSecret' | 'payLabel'> {
  config: StripeConfig;
}

/** The card form: Stripe's, or on the simulator one that takes named test cards only. Each is loaded where it is needed. */
export function CheckoutPanel({ config, clientSecret, payLabel }: CheckoutPanelProps) {
  const Form = config.mode === 'demo' ? DemoCardForm : StripeForm;
  return (
    <Suspense fallback={<FormSkeleton />}>
      <Form key={clientSecret} publishableKey={config.publishableKey ?? ''} clientSecret={clientSecret} returnUrl={`${window.location.origin}${PAYMENT_RETURN}`} payLabel={payLabel} />
    </Suspense>
  );
}
