import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { errorMessage } from '../../../api/api-error';
import { formatEpoch } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { IconAlert, IconExternal } from '../../../ui/icons';
import { useToast } from '../../../ui/toast';
import { useReactivatePlan, type PlanInForce as Plan } from '../api';
import { messages } from '../messages';
import { usePortal } from '../use-portal';
import { CancelDialog } from './cancel-dialog';

interface PlanInForceProps {
  plan: Plan;
  /** Referral months left, a number in text. */
  months: string;
  hasPro: boolean;
}

/** One line about the plan and its buttons; where money is owed, what to do first. */
export function PlanInForce({ plan, months, hasPro }: PlanInForceProps) {
  const [asking, setAsking] = useState(false);
  const [openPortal, isOpening] = usePortal();
  const line = useId();
  const { status, cancelAtPeriodEnd } = plan;
  const isOwed = status === 'past_due' || status === 'unpaid';
  return (
    <>
      <Trouble status={status} hasPro={hasPro} />
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, flexWrap: 'wrap' }}>
        <Typography id={line} sx={{ flex: '1 1 12rem' }}>
          {lineOf(plan)}
        </Typography>
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {isOwed && (
            <Button component={RouterLink} to={routes.upgrade.path} variant="contained">
              Pay now
            </Button>
          )}
          <Button variant="outlined" color="inherit" loading={isOpening} endIcon={<IconExternal size={15} aria-hidden />} onClick={() => void openPortal()}>
            Billing portal
          </Button>
          {cancelAtPeriodEnd ? (
            <ReactivateButton describedBy={line} />
          ) : (
            <Button variant="outlined" color="inherit" aria-describedby={line} onClick={() => setAsking(true)}>
              Cancel
            </Button>
          )}
        </Stack>
      </Box>
      <CancelDialog open={asking} plan={plan} months={months} onClose={() => setAsking(false)} />
    </>
  );
}

function lineOf({ status, currentPeriodEnd, cancelAtPeriodEnd }: Plan): string {
  if (status === 'past_due' || status === 'unpaid') return 'Payment is due.';
  if (status === 'paused') return 'Your plan is paused.';
  return `${cancelAtPeriodEnd ? 'Cancels on' : 'Renews on'} ${formatEpoch(currentPeriodEnd)}`;
}

/** Why the plan gives less than it should, and what to do. */
function Trouble({ status, hasPro }: { status: string; hasPro: boolean }) {
  const text = {
    past_due: hasPro
      ? 'Your last payment failed, and your card will be tried again. You keep Pro for 7 days after the failed payment: pay now, or give another card in the billing portal.'
      : 'Your last payment failed and you are on Free until it is paid. Pay now, or give another card in the billing portal.',
    unpaid: hasPro ? 'Your invoice was never paid. Pay now, or cancel the plan.' : 'Your invoice was never paid, so you are on Free. Pay now to be on Pro again, or cancel the plan.',
    paused: hasPro ? 'Resume your plan in the billing portal.' : 'You are on Free while your plan is paused. Resume it in the billing portal.',
  }[status];
  if (!text) return null;
  return (
    <Alert severity="warning" icon={<IconAlert size={18} aria-hidden />}>
      {text}
    </Alert>
  );
}

function ReactivateButton({ describedBy }: { describedBy: string }) {
  const [reactivate, isPending] = useReactivatePlan();
  const toast = useToast();
  const go = async () => {
    try {
      await reactivate();
      toast({ title: messages.reactivated, description: 'Your plan goes on as before.', variant: 'success' });
    } catch (error) {
      toast({ title: messages.reactivateFailed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  };
  return (
    <Button variant="contained" aria-describedby={describedBy} loading={isPending} onClick={() => void go()}>
      Reactivate
    </Button>
  );
}
