import { errorMessage } from '../../../api/api-error';
import { formatEpoch, plural } from '../../../lib/format';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { useToast } from '../../../ui/toast';
import { useCancelPlan, type PlanInForce } from '../api';
import { messages } from '../messages';

interface CancelDialogProps {
  open: boolean;
  plan: PlanInForce;
  months: string;
  onClose: () => void;
}

/** Asks, and names what goes and what stays. */
export function CancelDialog({ open, plan, months, onClose }: CancelDialogProps) {
  const [cancel, isPending] = useCancelPlan();
  const toast = useToast();
  const end = formatEpoch(plan.currentPeriodEnd);
  // A plan whose payment failed has nothing left to run out.
  const isNow = plan.status === 'past_due' || plan.status === 'unpaid';
  const confirm = async () => {
    try {
      await cancel();
      onClose();
      toast({ title: messages.canceled, description: isNow ? 'Your plan has ended.' : `You keep Pro until ${end}.`, variant: 'success' });
    } catch (error) {
      toast({ title: messages.cancelFailed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  };
  return (
    <ConfirmDialog open={open} title="Cancel your Pro plan?" confirmLabel="Cancel plan" cancelLabel="Keep plan" destructive pending={isPending} onConfirm={() => void confirm()} onCancel={onClose}>
      {isNow
        ? 'Your plan ends at once and the open invoice is not charged any more. You go on with Free and its daily limit; lists, contacts and history stay.'
        : `You keep Pro until ${end} and are not charged again. ${Number(months) > 0 ? `Your ${plural(months, 'month')} from referrals ${Number(months) === 1 ? 'runs' : 'run'} after that, and then` : 'After that'} you are on Free with its daily limit; lists, contacts and history stay. Until then you can reactivate the plan at any time.`}
    </ConfirmDialog>
  );
}
