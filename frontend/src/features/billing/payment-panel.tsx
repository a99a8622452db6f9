import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useId, type ReactNode } from 'react';
import { errorMessage, isApiError } from '../../api/api-error';
import { formatMoney } from '../../lib/format';
import { PAYMENT_RETURN_PATH } from '../../lib/routes';
import { IconInfo } from '../../ui/icons';
import { SectionError } from '../../ui/loading/section-error';
import type { Loaded, Plan, StripeConfig } from './api';
import { messages } from './messages';
import { FormSkeleton, type CardFormProps } from './payment-form';
import { usePortal } from './portal';
import type { Checkout } from './use-checkout';

interface PaymentPanelProps {
  plans: Loaded<Plan[]>;
  config: Loaded<StripeConfig>;
  plan: Plan | undefined;
  checkout: Checkout;
  isOwed: boolean;
  /** Places the order, also again after a failure. */
  onContinue: () => void;
}

/** The payment form, or why there is none. */
export function PaymentPanel(props: PaymentPanelProps) {
  const id = useId();
  return (
    <Paper
      component="section"
      variant="outlined"
      aria-labelledby={id}
      sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Typography id={id} variant="h2">
        Payment
      </Typography>
      <Payment {...props} />
    </Paper>
  );
}

function Payment({ plans, config, plan, checkout, isOwed, onContinue }: PaymentPanelProps) {
  if (config.error && !config.isFetching)
    return <SectionError message={messages.createFailed} onRetry={() => void config.refetch()} />;
  if (!config.data) return <FormSkeleton />;
  if (config.data.mode === 'off') return <Notice>{messages.notConfigured}</Notice>;
  if (!plan) return plans.isFetching ? <FormSkeleton /> : <Notice>Choose a plan first.</Notice>;
  if (!plan.stripePriceId)
    return <SectionError message={messages.noPrice} pending={plans.isFetching} onRetry={() => void plans.refetch()} />;
  if (checkout.phase === 'idle') {
    return (
      <>
        <Typography color="textSecondary">{`${formatMoney(plan.priceCents)} per ${plan.billingInterval}. Nothing is ordered until you continue.`}</Typography>
        <Button variant="contained" size="large" fullWidth onClick={onContinue}>
          Continue to payment
        </Button>
      </>
    );
  }
  if (checkout.phase === 'opening') return <FormSkeleton />;
  if (checkout.phase === 'failed') return <Refused error={checkout.error} onRetry={onContinue} />;
  if (checkout.phase === 'settled') return <PortalNotice>{messages.nothingOpen}</PortalNotice>;
  return (
    <>
      {isOwed && <Alert severity="warning">{messages.openInvoice}</Alert>}
      <CheckoutPanel
        config={config.data}
        clientSecret={checkout.clientSecret}
        payLabel={isOwed ? 'Pay open invoice' : `Pay ${formatMoney(plan.priceCents)}`}
      />
      {!isOwed && (
        <Typography variant="caption" color="textSecondary">
          {`Renews every ${plan.billingInterval} until you cancel it in the settings.`}
        </Typography>
      )}
    </>
  );
}

function Refused({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const message = errorMessage(error, messages.createFailed);
  if (isApiError(error) && error.code === 'subscription_paused') return <PortalNotice>{message}</PortalNotice>;
  if (isApiError(error) && error.code === 'billing_off') return <Notice>{message}</Notice>;
  return <SectionError message={message} onRetry={onRetry} />;
}

function Notice({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <Alert severity="info" icon={<IconInfo size={18} aria-hidden />} action={action}>
      {children}
    </Alert>
  );
}

function PortalNotice({ children }: { children: ReactNode }) {
  const [openPortal, isOpening] = usePortal();
  return (
    <Notice
      action={
        <Button size="small" color="inherit" loading={isOpening} onClick={() => void openPortal()}>
          Billing portal
        </Button>
      }
    >
      {children}
    </Notice>
  );
}

const StripeForm = lazy(() => import('./stripe-form'));
const DemoCardForm = lazy(() => import('./demo-card-form'));

interface CheckoutPanelProps extends Pick<CardFormProps, 'clientSecret' | 'payLabel'> {
  config: StripeConfig;
}

/** The card form: Stripe's, or the simulator's with named test cards. */
function CheckoutPanel({ config, clientSecret, payLabel }: CheckoutPanelProps) {
  const Form = config.mode === 'demo' ? DemoCardForm : StripeForm;
  return (
    <Suspense fallback={<FormSkeleton />}>
      <Form
        key={clientSecret}
        publishableKey={config.publishableKey ?? ''}
        clientSecret={clientSecret}
        returnUrl={`${window.location.origin}${PAYMENT_RETURN_PATH}`}
        payLabel={payLabel}
      />
    </Suspense>
  );
}
