import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog';
import { useUndoableDelete } from '../use-undoable-delete';
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
  const { confirm, error } = useUndoableDelete({
    name: contact.email,
    remove: () => remove({ id: list.id, contactId: contact.id }).unwrap(),
    restore: () => restore({ id: list.id, contactId: contact.id }).unwrap(),
    onRemoved: onClose,
    titles: messages,
    failureText: (fault) => errorMessage(fault, messages.fallback),
    restoreFailedText: messages.fallback,
  });
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
