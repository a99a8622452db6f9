import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { errorMessage } from '../../../api/api-error';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { useToast } from '../../../ui/toast';
import { messages } from '../messages';

/** Something an admin is about to do to somebody, or to something of theirs. */
export interface Act {
  title: string;
  /** Names the thing and its size. */
  text: ReactNode;
  confirmLabel: string;
  destructive?: boolean;
  run: (reason?: string) => Promise<unknown>;
  done: string;
  /** Under the toast that says it is done. */
  doneText?: string;
  failed: string;
}

/** Asks once, with room for the reason that goes into the audit trail. */
export function ActDialog({ act, onClose }: { act: Act; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [pending, setPending] = useState(false);
  const toast = useToast();
  const id = useId();
  const run = async () => {
    setPending(true);
    try {
      await act.run(reason.trim() || undefined);
      toast({ title: act.done, description: act.doneText, variant: 'success' });
    } catch (error) {
      toast({ title: act.failed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
    onClose();
  };
  return (
    <ConfirmDialog open title={act.title} confirmLabel={act.confirmLabel} destructive={act.destructive} pending={pending} onConfirm={() => void run()} onCancel={onClose}>
      <Typography component="div" color="inherit">
        {act.text}
      </Typography>
      <TextField
        id={id}
        label="Reason (optional)"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        fullWidth
        helperText="Kept in the activity log with your name."
        slotProps={{ htmlInput: { maxLength: 300 } }}
        sx={{ mt: 2 }}
      />
    </ConfirmDialog>
  );
}
