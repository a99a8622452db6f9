import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { plural } from '../../../lib/format';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { useToast } from '../../../ui/toast';
import { failureText, useDeleteList, type EmailList } from '../api';
import { messages } from '../messages';

/** Deletes a list after naming it and its size. */
export function DeleteListDialog({ open, list, onClose }: { open: boolean; list: EmailList; onClose: () => void }) {
  const [remove, pending] = useDeleteList();
  const toast = useToast();
  const [error, setError] = useState<string>();
  const confirm = async () => {
    try {
      await remove(list.id);
      toast({ title: messages.deleted, description: list.name, variant: 'success' });
      onClose();
    } catch (fault) {
      const description = failureText(fault, messages.deleteFailedText);
      setError(`${messages.deleteFailed}: ${description}`);
      toast({ title: messages.deleteFailed, description, variant: 'destructive' });
    }
  };
  return (
    <ConfirmDialog open={open} title="Delete this list?" confirmLabel="Delete list" destructive pending={pending} error={error} onConfirm={() => void confirm()} onCancel={onClose}>
      <Typography component="p" color="textPrimary" sx={{ fontWeight: 600, mb: 1 }}>
        {list.name}, {plural(list.contactCount, 'contact')}
      </Typography>
      Deleting permanently removes the list and all its contacts and cannot be undone. The record of past sends stays.
    </ConfirmDialog>
  );
}
