import Typography from '@mui/material/Typography';
import { client } from '../../api/client';
import { plural } from '../../lib/format';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { failureText, messages, type EmailList } from './api';
import { useUndoableDelete } from './use-undoable-delete';

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
  const scheduled = useScheduledText(list.id, !open);
  const { confirm, error } = useUndoableDelete({
    name: list.name,
    remove: () => remove({ id: list.id }).unwrap(),
    restore: () => restore({ id: list.id }).unwrap(),
    onRemoved: () => {
      onClose();
      onDeleted?.();
    },
    titles: { ...messages, removed: messages.deleted, removeFailed: messages.deleteFailed },
    failureText: (fault) => failureText(fault, messages.deleteFailedText),
    restoreFailedText: messages.restoreFailedText,
  });
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
