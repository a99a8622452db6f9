import { dialogState, FormDialog } from '../../../ui/form/dialog-form';
import { TextField } from '../../../ui/form/text-field';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
import { useToast } from '../../../ui/toast';
import { useUpdateContact, type Contact } from '../api';
import { messages } from '../messages';
import { contactSchema } from './contact-schema';

/** Changes a contact's address or name; a changed address starts Pending again. */
export function EditContactDialog({ listId, contact, onClose }: { listId: string; contact: Contact; onClose: () => void }) {
  const form = useZodForm(contactSchema, { email: contact.email, name: contact.name ?? '' });
  const update = useUpdateContact(listId);
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.updateFailed, text: messages.fallback }, async ({ email, name }) => {
    await update(contact.id, { ...(email !== contact.email && { email }), name: name.trim() });
    toast({ title: messages.updated, description: email, variant: 'success' });
    onClose();
  });
  return (
    <FormDialog title="Edit contact" onSubmit={submit} onClose={onClose} submitLabel="Save changes" {...dialogState(form)}>
      <TextField control={form.control} name="email" label="Email" type="email" autoComplete="off" maxLength={254} autoFocus helperText="A changed address has to confirm again" />
      <TextField control={form.control} name="name" label="Name" optional autoComplete="off" maxLength={200} />
    </FormDialog>
  );
}
