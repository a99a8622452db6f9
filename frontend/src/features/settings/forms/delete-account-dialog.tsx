import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { z } from 'zod';
import { plural } from '../../../lib/format';
import { currentPasswordField } from '../../../lib/zod-texts';
import { PasswordField } from '../../../ui/form/password-field';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
import { SubmitButton } from '../../../ui/submit-button';
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
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`} slotProps={{ paper: { role: 'alertdialog' } }}>
      <DialogTitle id={`${id}-title`}>Delete account?</DialogTitle>
      <DeleteForm onCancel={onClose}>
        <DialogContentText id={`${id}-text`} sx={{ mb: 2.5, overflowWrap: 'anywhere' }}>
          The account {email}
          {size} is deleted, with everything it sent. This action cannot be undone.
        </DialogContentText>
      </DeleteForm>
    </Dialog>
  );
}

function DeleteForm({ onCancel, children }: { onCancel: () => void; children: React.ReactNode }) {
  const form = useZodForm(schema, { password: '' });
  const remove = useDeleteAccount();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.deleteFailed, text: messages.tryAgain }, async ({ password }) => {
    const { answer, forget } = await remove(password);
    toast({ title: messages.deleted, description: answer.message, variant: 'success' });
    forget();
  });
  const pending = form.formState.isSubmitting;
  return (
    <form onSubmit={submit} noValidate>
      <DialogContent>
        {children}
        <PasswordField control={form.control} name="password" label="Your password" autoComplete="current-password" />
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onCancel} disabled={pending} autoFocus>
          Cancel
        </Button>
        <SubmitButton color="error" pending={pending}>
          Delete account
        </SubmitButton>
      </DialogActions>
    </form>
  );
}
