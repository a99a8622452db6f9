import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { plural } from '../../lib/format';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { useToast } from '../../ui/toast/toast';
import { failureText, messages, type EmailList } from './api';

interface DeleteListDialogProps {
  open: boolean;
  list: EmailList;
  onClose: () => void;
  /** Called as soon as the list is gone. */
  onDeleted?: () => void;
}

/** Deletes a list, after a confirmation that names it and its size. The success toast offers Undo. */
export function DeleteListDialog({ open, list, onClose, onDeleted }: DeleteListDialogProps) {
  const [remove, { isLoading }] = client.useDeleteEmailListMutation();
  const [restore] = client.useRestoreEmailListMutation();
  const toast = useToast();
  const [error, setError] = useState<string>();
  const scheduled = useScheduledText(list.id, !open);
  const undo = async () => {
    try {
      await restore({ id: list.id }).unwrap();
      toast({ title: messages.restored, description: list.name, variant: 'success' });
    } catch (fault) {
      toast({
        title: messages.restoreFailed,
        description: errorMessage(fault, messages.restoreFailedText),
        variant: 'destructive',
      });
    }
  };
  const confirm = async () => {
    try {
      await remove({ id: list.id }).unwrap();
      toast({ title: messages.deleted, description: list.name, variant: 'success', onUndo: undo });
      onClose();
      onDeleted?.();
    } catch (fault) {
      const description = failureText(fault, messages.deleteFailedText);
      setError(`${messages.deleteFailed}: ${description}`);
      toast({ title: messages.deleteFailed, description, variant: 'destructive' });
    }
  };
  return (
    <ConfirmDialog
      open={open}
      title="Delete this list?"
      confirmLabel="Delete list"
      destructive
      pending={isLoading}
      error={error}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Typography component="p" color="textPrimary" sx={{ fontWeight: 600, mb: 1 }}>
        {list.name}, {plural(list.contactCount, 'contact')}
      </Typography>
      Deleting permanently removes the list and all its contacts and cannot be undone after the 10 seconds in which Undo
      is offered. The record of past sends stays.{scheduled && ` ${scheduled}`}
    </ConfirmDialog>
  );
}

/**
 * Text about the number of scheduled emails that go to the list.
 * @returns null if there are none, or while the number is unknown
 */
function useScheduledText(listId: string, skip: boolean): string | null {
  const { data } = client.useListScheduledQuery({ listId, state: 'open', limit: 1 }, { skip });
  if (!data || data.total === 0) return null;
  return `${plural(data.total, 'scheduled email uses', 'scheduled emails use')} it.`;
}
