import { useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog';
import { useToast } from '../../../ui/toast/toast';
import type { Contact, ContactList } from './api';
import { messages } from './messages';

/** Removes one contact, after a confirmation that names it and its list. The success toast offers Undo. */
export function DeleteContactDialog({
  list,
  contact,
  onClose,
}: {
  list: ContactList;
  contact: Contact;
  onClose: () => void;
}) {
  const [remove, { isLoading }] = client.useDeleteContactMutation();
  const [restore] = client.useRestoreContactMutation();
  const toast = useToast();
  const [error, setError] = useState<string>();
  const undo = async () => {
    try {
      await restore({ id: list.id, contactId: contact.id }).unwrap();
      toast({ title: messages.restored, description: contact.email, variant: 'success' });
    } catch (fault) {
      toast({
        title: messages.restoreFailed,
        description: errorMessage(fault, messages.fallback),
        variant: 'destructive',
      });
    }
  };
  const confirm = async () => {
    try {
      await remove({ id: list.id, contactId: contact.id }).unwrap();
      toast({ title: messages.removed, description: contact.email, variant: 'success', onUndo: undo });
      onClose();
    } catch (fault) {
      const description = errorMessage(fault, messages.fallback);
      setError(`${messages.removeFailed}: ${description}`);
      toast({ title: messages.removeFailed, description, variant: 'destructive' });
    }
  };
  return (
    <ConfirmDialog
      open
      title="Remove contact"
      confirmLabel="Remove"
      destructive
      pending={isLoading}
      error={error}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {`Are you sure you want to remove ${contact.email} from "${list.name}"? This action cannot be undone after the 10 seconds in which Undo is offered.`}
    </ConfirmDialog>
  );
}
