import { useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { useToast } from '../../../ui/toast';
import { useDeleteContact, type Contact, type ContactList } from '../api';
import { messages } from '../messages';

/** Takes one contact off the list after naming both. */
export function DeleteContactDialog({ list, contact, onClose }: { list: ContactList; contact: Contact; onClose: () => void }) {
  const [remove, pending] = useDeleteContact(list.id);
  const toast = useToast();
  const [error, setError] = useState<string>();
  const confirm = async () => {
    try {
      await remove(contact.id);
      toast({ title: messages.removed, description: contact.email, variant: 'success' });
      onClose();
    } catch (fault) {
      const description = errorMessage(fault, messages.fallback);
      setError(`${messages.removeFailed}: ${description}`);
      toast({ title: messages.removeFailed, description, variant: 'destructive' });
    }
  };
  return (
    <ConfirmDialog open title="Remove contact" confirmLabel="Remove" destructive pending={pending} error={error} onConfirm={() => void confirm()} onCancel={onClose}>
      {`Are you sure you want to remove ${contact.email} from "${list.name}"? This action cannot be undone.`}
    </ConfirmDialog>
  );
}
