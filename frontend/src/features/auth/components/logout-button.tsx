import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { draftSubject } from '../../../lib/send-draft';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { IconLogout } from '../../../ui/icons';
import { useToast } from '../../../ui/toast';
import { useCurrentUser, useLogout } from '../api';
import { messages } from '../messages';

/** Logout, after asking. */
export function LogoutButton() {
  const [asking, setAsking] = useState(false);
  const [logout, pending] = useLogout();
  const toast = useToast();
  const { id } = useCurrentUser();
  const draft = asking ? draftSubject(id) : null;
  const confirm = async () => {
    try {
      const { forget } = await logout();
      setAsking(false);
      toast({ title: messages.loggedOut, description: messages.loggedOutText, variant: 'success' });
      forget();
    } catch (error) {
      setAsking(false);
      toast({ title: messages.logoutFailed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  };
  return (
    <>
      <Button color="inherit" startIcon={<IconLogout size={16} aria-hidden />} onClick={() => setAsking(true)}>
        Logout
      </Button>
      <ConfirmDialog open={asking} title="Logout" confirmLabel="Logout" pending={pending} onConfirm={() => void confirm()} onCancel={() => setAsking(false)}>
        {messages.logoutQuestion}
        {draft !== null && (
          <Typography component="p" color="textPrimary" sx={{ mt: 1, overflowWrap: 'anywhere' }}>
            {draft.trim() ? `Your unsent draft "${draft.trim()}" is discarded.` : 'Your unsent draft is discarded.'}
          </Typography>
        )}
      </ConfirmDialog>
    </>
  );
}
