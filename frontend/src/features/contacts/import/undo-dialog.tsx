import { useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { plural } from '../../../lib/format';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog';
import { useToast } from '../../../ui/toast/toast';
import { messages, nameOf, type ImportSummary } from './api';

/** Asks before an import is undone, and says what will not be restored. */
export function UndoDialog({ summary, onClose }: { summary: ImportSummary; onClose: () => void }) {
  const [undo, { isLoading }] = client.useUndoImportMutation();
  const [error, setError] = useState<string>();
  const toast = useToast();
  const confirm = async () => {
    try {
      await undo({ id: summary.id }).unwrap();
      toast({ title: 'Undoing the import', description: nameOf(summary), variant: 'info' });
      onClose();
    } catch (fault) {
      setError(errorMessage(fault, messages.tryAgain));
    }
  };
  const added = plural(summary.result?.added ?? 0, 'contact');
  return (
    <ConfirmDialog
      open
      title={`Undo the import of ${nameOf(summary)}?`}
      confirmLabel="Undo this import"
      destructive
      pending={isLoading}
      error={error}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>{messages.overwritten}</p>
      <p>
        It added {added}. They are removed, except those that a send has reached and those who have confirmed: you will
        see how many stay, and why.
        {summary.listId !== null && ' Contacts you had before are only taken off the list that it put them on.'}
      </p>
    </ConfirmDialog>
  );
}
