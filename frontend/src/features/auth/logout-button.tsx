import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { useCurrentUser, usePrepareSignOut } from '../../api/session';
import { draftSubject } from '../../lib/send-draft';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { IconLogout } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';

/** Logs out after a confirmation, which names the unsent draft that is lost. */
export function LogoutButton() {
  const [isOpen, setOpen] = useState(false);
  const [logout, { isLoading }] = client.useLogoutMutation();
  const prepareSignOut = usePrepareSignOut();
  const toast = useToast();
  const { id } = useCurrentUser();
  const draft = isOpen ? draftSubject(id) : null;
  const confirm = async () => {
    const clearAccount = prepareSignOut();
    try {
      await logout().unwrap();
      setOpen(false);
      toast({ title: messages.loggedOut, description: messages.loggedOutText, variant: 'success' });
      clearAccount();
    } catch (error) {
      setOpen(false);
      toast({
        title: messages.logoutFailed,
        description: errorMessage(error, messages.tryAgain),
        variant: 'destructive',
      });
    }
  };
  return (
    <>
      <Button color="inherit" startIcon={<IconLogout size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Logout
      </Button>
      <ConfirmDialog
        open={isOpen}
        title="Logout"
        confirmLabel="Logout"
        pending={isLoading}
        onConfirm={() => void confirm()}
        onCancel={() => setOpen(false)}
      >
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
