import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { SubmitButton } from '../../ui/form/submit-button';
import { IconError } from '../../ui/icons';
import { LoadingRegion } from '../../ui/loading/skeletons';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';

/** Props of both card forms. */
export interface CardFormProps {
  publishableKey: string;
  clientSecret: string;
  /** Where the browser goes when the payment is made. */
  returnUrl: string;
  payLabel: string;
}

interface PaymentFormProps {
  payLabel: string;
  /** Whether the form is loaded. */
  isReady?: boolean;
  /** Pays. @returns why the payment was refused; null when the browser leaves for another page */
  onPay: () => Promise<string | null>;
  children: ReactNode;
}

/** The frame of both card forms: one payment at a time, and the provider's error text. */
export function PaymentForm({ payLabel, isReady = true, onPay, children }: PaymentFormProps) {
  const [isPaying, setPaying] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const toast = useToast();
  useEffect(() => {
    // The browser's Back from the bank's page restores this page in the state in which it was left.
    const onPageShow = () => setPaying(false);
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);
  const pay = async (event: FormEvent) => {
    event.preventDefault();
    if (isPaying || !isReady) return;
    setPaying(true);
    setRefusal(null);
    const message = await onPay().catch(() => messages.unexpected);
    if (message === null) return;
    setRefusal(message);
    setPaying(false);
    toast({ title: messages.paymentFailed, description: message, variant: 'destructive' });
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void pay(event)}
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      {children}
      {refusal && (
        <Alert severity="error" icon={<IconError size={18} aria-hidden />}>
          {refusal} Try again, or choose another card.
        </Alert>
      )}
      <SubmitButton size="large" fullWidth pending={isPaying} disabled={!isReady}>
        {payLabel}
      </SubmitButton>
    </Box>
  );
}

/** Placeholder of the payment form while it loads. */
export function FormSkeleton() {
  return (
    <LoadingRegion label="Preparing the payment">
      <Skeleton height={56} />
      <Skeleton height={56} />
      <Skeleton height={56} width="60%" />
      <Skeleton height={48} sx={{ mt: 1 }} />
    </LoadingRegion>
  );
}
