import DialogContentText from '@mui/material/DialogContentText';
import { useId, type ReactNode } from 'react';
import { z } from 'zod';
import { optionalText, orAbsent } from '../../lib/zod-texts';
import { DialogForm, dialogState } from '../../ui/dialog/dialog-form';
import { GuardedDialog } from '../../ui/dialog/guarded-dialog';
import { TextField } from '../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../ui/form/use-form';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';
import { reasonField } from './reason-field';

/** An action of an admin on somebody's account or data, with the texts of its confirmation. */
export interface AdminAction {
  title: string;
  /** Text that names what is changed and how much it contains. */
  text: ReactNode;
  confirmLabel: string;
  destructive?: boolean;
  run: (reason?: string) => Promise<unknown>;
  done: string;
  /** The second line of the success toast. */
  doneText?: string;
  failed: string;
}

const schema = z.object({ reason: optionalText(300) });

/**
 * Asks for a confirmation and an optional reason, which is stored in the activity log. After a refusal it stays open
 * and keeps the reason.
 */
export function ConfirmActionDialog({ action, onClose }: { action: AdminAction; onClose: () => void }) {
  const id = useId();
  const form = useZodForm(schema, { reason: '' });
  const toast = useToast();
  const submit = useSubmit(form, { title: action.failed, text: messages.tryAgain }, async ({ reason }) => {
    await action.run(orAbsent(reason));
    toast({ title: action.done, description: action.doneText, variant: 'success' });
    onClose();
  });
  return (
    <GuardedDialog title={action.title} role="alertdialog" describedBy={id} onClose={onClose}>
      <DialogForm
        onSubmit={submit}
        submitLabel={action.confirmLabel}
        destructive={action.destructive}
        focusClose
        {...dialogState(form)}
      >
        <DialogContentText id={id} component="div" sx={{ overflowWrap: 'anywhere', mb: 1 }}>
          {action.text}
        </DialogContentText>
        <TextField control={form.control} {...reasonField} />
      </DialogForm>
    </GuardedDialog>
  );
}
