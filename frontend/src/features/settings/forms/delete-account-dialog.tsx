import DialogContentText from '@mui/material/DialogContentText';
import { useId } from 'react';
import { z } from 'zod';
import { plural } from '../../../lib/format';
import { currentPasswordField } from '../../../lib/zod-texts';
import { GuardedDialog } from '../../../ui/dialog/guarded-dialog';
import { dialogState, DialogForm } from '../../../ui/form/dialog-form';
import { PasswordField } from '../../../ui/form/password-field';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
import { useToast } from '../../../ui/toast';
import { useCurrentUser, useDeleteAccount, useHoldings } from '../api';
import { messages } from '../messages';

const schema = z.object({ password: currentPasswordField });

/** Names the account and its size, and asks for the password. */
export function DeleteAccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const id = useId();
  const { email } = useCurrentUser();
  const { data: held } = useHoldings(open);
  const size = held ? ` with ${plural(held.totalLists, 'list')} and ${plural(held.totalContacts, 'contact')}` : '';
  return (
    <GuardedDialog open={open} onClose={onClose} role="alertdialog" title="Delete account?" describedBy={id}>
      <DeleteForm>
        <DialogContentText id={id} sx={{ mb: 2.5, overflowWrap: 'anywhere' }}>
          The account {email}
          {size} is deleted, with everything it sent. This action cannot be undone.
        </DialogContentText>
      </DeleteForm>
    </GuardedDialog>
  );
}

function DeleteForm({ children }: { children: React.ReactNode }) {
  const form = useZodForm(schema, { password: '' });
  const remove = useDeleteAccount();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.deleteFailed, text: messages.tryAgain }, async ({ password }) => {
    const { answer, forget } = await remove(password);
    toast({ title: messages.deleted, description: answer.message, variant: 'success' });
    forget();
  });
  return (
    <DialogForm onSubmit={submit} submitLabel="Delete account" destructive focusClose {...dialogState(form)}>
      {children}
      <PasswordField control={form.control} name="password" label="Your password" autoComplete="current-password" />
    </DialogForm>
  );
}
