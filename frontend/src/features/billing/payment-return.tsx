import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useEffect, useRef } from 'react';
import { useDispatch } from 'react-redux';
import { Link as RouterLink, useNavigate, useSearchParams } from 'react-router-dom';
import { client } from '../../api/client';
import { routes } from '../../lib/routes';
import { IconClock } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';

interface PaymentReturnProps {
  /** The plan's status from the server; null without a plan. */
  status: string | null;
  isFetching: boolean;
  onCheckAgain: () => void;
}

/**
 * Shown after returning from a payment. The URL only says that a payment was tried. The result comes from the server,
 * sometimes a moment later through the stream of changes.
 */
export function PaymentReturn({ status, isFetching, onCheckAgain }: PaymentReturnProps) {
  const [params] = useSearchParams();
  const isReturn = params.get('payment') === 'success';
  const isPaid = status === 'active' || status === 'trialing';
  usePaymentSuccessToast(isReturn && isPaid && !isFetching);
  const isWaiting = isReturn && !isPaid;
  if (!isWaiting) return null;
  return (
    <Alert
      severity="info"
      icon={<IconClock size={18} aria-hidden />}
      action={
        <Stack direction="row" sx={{ gap: 0.5 }}>
          <Button size="small" color="inherit" loading={isFetching} onClick={onCheckAgain}>
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

/** Shows the success toast once, loads the new entitlements, and removes the parameter from the URL. */
function usePaymentSuccessToast(isPaid: boolean): void {
  const toast = useToast();
  const navigate = useNavigate();
  const dispatch = useDispatch();
  // Prevents a second toast: if the plan is fetched again before the URL has changed, `isPaid` becomes true again.
  const hasToasted = useRef(false);
  useEffect(() => {
    if (!isPaid || hasToasted.current) return;
    hasToasted.current = true;
    toast({ title: messages.proActive, description: messages.proActiveText, variant: 'success' });
    dispatch(client.util.invalidateTags(['Me']));
    void navigate(routes.settings.path, { replace: true });
  }, [isPaid, navigate, dispatch, toast]);
}
