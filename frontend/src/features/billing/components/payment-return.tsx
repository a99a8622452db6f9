import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useEffect, useState } from 'react';
import { Link as RouterLink, useNavigate, useSearchParams } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { IconClock } from '../../../ui/icons';
import { useToast } from '../../../ui/toast';
import { useRefreshAccount } from '../api';
import { messages } from '../messages';

/** The server asks the provider at most once in 5 seconds. */
const LOOK_AGAIN_MS = 6_000;
const LOOKS = 3;

interface PaymentReturnProps {
  /** Of the plan, as the server says; null: there is none. */
  status: string | null;
  isFetching: boolean;
  onLook: () => void;
}

/** Back from a payment. The address only says that one was tried: what came of it says the server, at times a moment later. */
export function PaymentReturn({ status, isFetching, onLook }: PaymentReturnProps) {
  const [params] = useSearchParams();
  const isReturn = params.get('payment') === 'success';
  const isPaid = status === 'active' || status === 'trialing';
  useSayPaid(isReturn && isPaid && !isFetching);
  const isWaiting = isReturn && !isPaid;
  useLooks(isWaiting && !isFetching, onLook);
  if (!isWaiting) return null;
  return (
    <Alert
      severity="info"
      icon={<IconClock size={18} aria-hidden />}
      action={
        <Stack direction="row" sx={{ gap: 0.5 }}>
          <Button size="small" color="inherit" loading={isFetching} onClick={onLook}>
            Check again
          </Button>
          <Button size="small" color="inherit" component={RouterLink} to={routes.upgrade.path}>
            Back to payment
          </Button>
        </Stack>
      }
    >
      No payment has arrived yet. If you have just paid, it shows here in a moment.
    </Alert>
  );
}

/** Says so once, shows what the account may do now, and takes the note out of the address. */
function useSayPaid(isPaid: boolean): void {
  const toast = useToast();
  const navigate = useNavigate();
  const refreshAccount = useRefreshAccount();
  useEffect(() => {
    if (!isPaid) return;
    toast({ title: messages.proActive, description: messages.proActiveText, variant: 'success' });
    refreshAccount();
    void navigate(routes.settings.path, { replace: true });
  }, [isPaid, navigate, refreshAccount, toast]);
}

function useLooks(isOpen: boolean, onLook: () => void): void {
  const [left, setLeft] = useState(LOOKS);
  useEffect(() => {
    if (!isOpen || left === 0) return;
    const timer = setTimeout(() => {
      setLeft(left - 1);
      onLook();
    }, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isOpen, left, onLook]);
}
