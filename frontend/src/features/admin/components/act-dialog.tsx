import DialogContentText from '@mui/material/DialogContentText';
import { useId, type ReactNode } from 'react';
import { z } from 'zod';
import { optionalText, orAbsent } from '../../../lib/zod-texts';
import { GuardedDialog } from '../../../ui/dialog/guarded-dialog';
import { dialogState, DialogForm } from '../../../ui/form/dialog-form';
import { TextField } from '../../../ui/form/text-field';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
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

const schema = z.object({ reason: optionalText(300) });

/** Asks once, with room for the reason that goes into the audit trail; stays open with it when the server refuses. */
export function ActDialog({ act, onClose }: { act: Act; onClose: () => void }) {
  const id = useId();
  const form = useZodForm(schema, { reason: '' });
  const toast = useToast();
  const submit = useSubmit(form, { title: act.failed, text: messages.tryAgain }, async ({ reason }) => {
    await act.run(orAbsent(reason));
    toast({ title: act.done, description: act.doneText, variant: 'success' });
    onClose();
  });
  return (
    <GuardedDialog title={act.title} role="alertdialog" describedBy={id} onClose={onClose}>
      <DialogForm onSubmit={submit} submitLabel={act.confirmLabel} destructive={act.destructive} focusClose {...dialogState(form)}>
        <DialogContentText id={id} component="div" sx={{ overflowWrap: 'anywhere', mb: 1 }}>
          {act.text}
        </DialogContentText>
        <TextField control={form.control} name="reason" label="Reason" optional maxLength={300} helperText="Kept in the activity log with your name." />
      </DialogForm>
    </GuardedDialog>
  );
}
