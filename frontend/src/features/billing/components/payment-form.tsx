import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { IconError } from '../../../ui/icons';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { messages } from '../messages';

/** What either form is given. */
export interface CardFormProps {
  publishableKey: string;
  clientSecret: string;
  /** Where the browser goes when the payment is made. */
  returnUrl: string;
  payLabel: string;
}

interface PaymentFormProps {
  payLabel: string;
  /** Whether there is something to submit yet. */
  isReady?: boolean;
  /** Pays; answers with the reason where the payment was refused, and with null where the browser is leaving. */
  onPay: () => Promise<string | null>;
  children: ReactNode;
}

/** What both card forms share: one payment at a time, and the provider's words when it fails. */
export function PaymentForm({ payLabel, isReady = true, onPay, children }: PaymentFormProps) {
  const [isPaying, setPaying] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const toast = useToast();
  useEffect(() => {
    // Back from the bank's page by the browser's Back: the page is as it was left.
    const wake = () => setPaying(false);
    window.addEventListener('pageshow', wake);
    return () => window.removeEventListener('pageshow', wake);
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
    <Box component="form" noValidate onSubmit={(event) => void pay(event)} sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
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
