import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { formatEpoch, plural } from '../../lib/format';
import { routes } from '../../lib/routes';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { IconAlert, IconExternal } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import type { PlanInForce as Plan } from './api';
import { messages } from './messages';
import { usePortal } from './portal';

interface PlanInForceProps {
  plan: Plan;
  /** The number of referral months left, as text. */
  months: string;
  hasPro: boolean;
}

/** The plan in one line with its buttons, and a warning when a payment is due. */
export function PlanInForce({ plan, months, hasPro }: PlanInForceProps) {
  const [isCancelling, setCancelling] = useState(false);
  const [openPortal, isOpening] = usePortal();
  const line = useId();
  const { status, cancelAtPeriodEnd } = plan;
  const isOwed = status === 'past_due' || status === 'unpaid';
  return (
    <>
      <PlanWarning status={status} hasPro={hasPro} />
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, flexWrap: 'wrap' }}>
        <Typography id={line} sx={{ flex: '1 1 12rem' }}>
          {planSummary(plan)}
        </Typography>
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {isOwed && (
            <Button component={RouterLink} to={routes.upgrade.path} variant="contained">
              Pay now
            </Button>
          )}
          <Button
            variant="outlined"
            color="inherit"
            loading={isOpening}
            endIcon={<IconExternal size={15} aria-hidden />}
            onClick={() => void openPortal()}
          >
            Billing portal
          </Button>
          {cancelAtPeriodEnd ? (
            <ReactivateButton describedBy={line} />
          ) : (
            <Button variant="outlined" color="inherit" aria-describedby={line} onClick={() => setCancelling(true)}>
              Cancel
            </Button>
          )}
        </Stack>
      </Box>
      <CancelDialog open={isCancelling} plan={plan} months={months} onClose={() => setCancelling(false)} />
    </>
  );
}

function planSummary({ status, currentPeriodEnd, cancelAtPeriodEnd }: Plan): string {
  if (status === 'past_due' || status === 'unpaid') return 'Payment is due.';
  if (status === 'paused') return 'Your plan is paused.';
  return `${cancelAtPeriodEnd ? 'Cancels on' : 'Renews on'} ${formatEpoch(currentPeriodEnd)}`;
}

/** Why the plan is limited, and what to do. */
function PlanWarning({ status, hasPro }: { status: string; hasPro: boolean }) {
  const text = {
    past_due: hasPro
      ? 'Your last payment failed, and your card will be tried again. You keep Pro for 7 days after the failed payment: pay now, or give another card in the billing portal.'
      : 'Your last payment failed and you are on Free until it is paid. Pay now, or give another card in the billing portal.',
    unpaid: hasPro
      ? 'Your invoice was never paid. Pay now, or cancel the plan.'
      : 'Your invoice was never paid, so you are on Free. Pay now to be on Pro again, or cancel the plan.',
    paused: hasPro
      ? 'Resume your plan in the billing portal.'
      : 'You are on Free while your plan is paused. Resume it in the billing portal.',
  }[status];
  if (!text) return null;
  return (
    <Alert severity="warning" icon={<IconAlert size={18} aria-hidden />}>
      {text}
    </Alert>
  );
}

function ReactivateButton({ describedBy }: { describedBy: string }) {
  const [reactivate, { isLoading }] = client.useReactivateSubscriptionMutation();
  const toast = useToast();
  const run = async () => {
    try {
      await reactivate().unwrap();
      toast({ title: messages.reactivated, description: 'Your plan continues as before.', variant: 'success' });
    } catch (error) {
      toast({
        title: messages.reactivateFailed,
        description: errorMessage(error, messages.tryAgain),
        variant: 'destructive',
      });
    }
  };
  return (
    <Button variant="contained" aria-describedby={describedBy} loading={isLoading} onClick={() => void run()}>
      Reactivate
    </Button>
  );
}

interface CancelDialogProps {
  open: boolean;
  plan: Plan;
  months: string;
  onClose: () => void;
}

/** Asks before the plan is cancelled, and says what ends and what stays. */
function CancelDialog({ open, plan, months, onClose }: CancelDialogProps) {
  const [cancel, { isLoading }] = client.useCancelSubscriptionMutation();
  const toast = useToast();
  const end = formatEpoch(plan.currentPeriodEnd);
  // After a failed payment no paid period is left, so cancelling ends the plan at once.
  const isNow = plan.status === 'past_due' || plan.status === 'unpaid';
  const confirm = async () => {
    try {
      await cancel({ cancelSubscriptionDto: { immediately: false } }).unwrap();
      onClose();
      toast({
        title: messages.canceled,
        description: isNow ? 'Your plan has ended.' : `You keep Pro until ${end}.`,
        variant: 'success',
      });
    } catch (error) {
      toast({
        title: messages.cancelFailed,
        description: errorMessage(error, messages.tryAgain),
        variant: 'destructive',
      });
    }
  };
  return (
    <ConfirmDialog
      open={open}
      title="Cancel your Pro plan?"
      confirmLabel="Cancel plan"
      cancelLabel="Keep plan"
      destructive
      pending={isLoading}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {isNow
        ? 'Your plan ends at once and the open invoice is not charged any more. You are on Free with its daily limit; lists, contacts and history stay.'
        : `You keep Pro until ${end} and are not charged again. ${Number(months) > 0 ? `Your ${plural(months, 'month')} from referrals ${Number(months) === 1 ? 'runs' : 'run'} after that, and then` : 'After that'} you are on Free with its daily limit; lists, contacts and history stay. Until then you can reactivate the plan at any time.`}
    </ConfirmDialog>
  );
}
