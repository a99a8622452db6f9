import { useWatch } from 'react-hook-form';
import { contactTypeFor } from '../../../lib/roles';
import { orAbsent } from '../../../lib/zod-texts';
import { dialogState, DialogForm } from '../../../ui/form/dialog-form';
import { TextField } from '../../../ui/form/text-field';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
import { useToast } from '../../../ui/toast';
import { useAddContact, useCurrentUser } from '../api';
import { messages } from '../messages';
import { contactSchema } from './contact-schema';

/** One contact: an address and, if known, a name. */
export function SingleContactForm({ listId, onClose }: { listId: string; onClose: () => void }) {
  const user = useCurrentUser();
  const form = useZodForm(contactSchema, { email: '', name: '' });
  const email = useWatch({ control: form.control, name: 'email' });
  const add = useAddContact(listId);
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.addFailed, text: messages.fallback }, async (values) => {
    await add({ email: values.email, name: orAbsent(values.name), subscriptionType: contactTypeFor(user.role) });
    toast({ title: messages.added, description: `${values.email} is Pending until they confirm by email.`, variant: 'success' });
    onClose();
  });
  return (
    <DialogForm roomy onSubmit={submit} submitLabel="Add Contact" {...dialogState(form)} disabled={!email.trim()}>
      <TextField
        control={form.control}
        name="email"
        label="Email"
        type="email"
        autoComplete="off"
        maxLength={254}
        autoFocus
        helperText={user.isVerified ? 'They get one email asking them to confirm' : 'They get the email asking them to confirm once you have verified your own address'}
      />
      <TextField control={form.control} name="name" label="Name" optional autoComplete="off" maxLength={200} />
    </DialogForm>
  );
}
