import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogContentText from '@mui/material/DialogContentText';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { z } from 'zod';
import { client } from '../../api/client';
import { useCurrentUser, usePrepareSignOut } from '../../api/session';
import { plural } from '../../lib/format';
import { currentPasswordField } from '../../lib/zod-texts';
import { DialogForm, dialogState } from '../../ui/dialog/dialog-form';
import { GuardedDialog } from '../../ui/dialog/guarded-dialog';
import { PasswordField } from '../../ui/form/password-field';
import { useSubmit, useZodForm } from '../../ui/form/use-form';
import { IconDownload } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';

/** Downloads everything the account holds as one file. */
export function DataExport() {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
      <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 14rem' }}>
        A ZIP file with your profile, lists, contacts, sends, deliveries, referrals and plan, as CSV and JSON.
      </Typography>
      <Button
        component="a"
        href="/api/auth/export"
        download
        variant="outlined"
        color="inherit"
        startIcon={<IconDownload size={16} aria-hidden />}
      >
        Export data
      </Button>
    </Box>
  );
}

/** Deletes the account after a confirmation. */
export function DeleteAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
      <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 14rem' }}>
        Erases your profile, lists, contacts and history, ends a paid plan and signs out every device. People who
        unsubscribed stay unsubscribed.
      </Typography>
      <Button variant="outlined" color="error" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <DeleteAccountDialog open={isOpen} onClose={() => setOpen(false)} />
    </Box>
  );
}

const schema = z.object({ password: currentPasswordField });

/** Names the account and how much it holds, and asks for the password. */
function DeleteAccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const id = useId();
  const { email } = useCurrentUser();
  const { data: stats } = client.useGetDashboardStatsQuery(undefined, { skip: !open });
  const size = stats ? ` with ${plural(stats.totalLists, 'list')} and ${plural(stats.totalContacts, 'contact')}` : '';
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

function DeleteForm({ children }: { children: ReactNode }) {
  const form = useZodForm(schema, { password: '' });
  const [remove] = client.useDeleteAccountMutation();
  const prepareSignOut = usePrepareSignOut();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.deleteFailed, text: messages.tryAgain }, async ({ password }) => {
    const clearAccount = prepareSignOut();
    const answer = await remove({ deleteAccountDto: { password } }).unwrap();
    toast({ title: messages.deleted, description: answer.message, variant: 'success' });
    clearAccount();
  });
  return (
    <DialogForm onSubmit={submit} submitLabel="Delete account" destructive focusClose {...dialogState(form)}>
      {children}
      <PasswordField control={form.control} name="password" label="Your password" autoComplete="current-password" />
    </DialogForm>
  );
}
