import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { client } from '../../../api/client';
import { useCurrentUser } from '../../../api/session';
import { emailField, optionalText, orAbsent } from '../../../lib/zod-texts';
import { contactTypeFor } from '../../../shared/contact';
import { ContactAddressField } from '../../../shared/contact-address-field';
import { DialogForm, dialogState, FormDialog } from '../../../ui/dialog/dialog-form';
import { TextField } from '../../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { useToast } from '../../../ui/toast/toast';
import type { Contact } from './api';
import { messages } from './messages';

/** Changes a contact's address or name; a changed address starts Pending again. */
export function EditContactDialog({
  listId,
  contact,
  onClose,
}: {
  listId: string;
  contact: Contact;
  onClose: () => void;
}) {
  const form = useZodForm(contactSchema, { email: contact.email, name: contact.name ?? '' });
  const { dirtyFields } = form.formState;
  const [update] = client.useUpdateContactMutation();
  const toast = useToast();
  const submit = useSubmit(form, { title: messages.updateFailed, text: messages.fallback }, async ({ email, name }) => {
    // Sends only changed fields, because the other ones may have been corrected on another device meanwhile.
    if (dirtyFields.email || dirtyFields.name)
      await update({
        id: listId,
        contactId: contact.id,
        updateContactDto: { ...(dirtyFields.email && { email }), ...(dirtyFields.name && { name: name.trim() }) },
      }).unwrap();
    toast({ title: messages.updated, description: email, variant: 'success' });
    onClose();
  });
  return (
    <FormDialog
      title="Edit contact"
      onSubmit={submit}
      onClose={onClose}
      submitLabel="Save changes"
      {...dialogState(form)}
    >
      <ContactAddressField control={form.control} name="email" helperText="A changed address has to confirm again" />
      <TextField control={form.control} name="name" label="Name" optional autoComplete="off" maxLength={200} />
    </FormDialog>
  );
}

/** One contact: an address and, if known, a name. */
export function SingleContactForm({ listId, onClose }: { listId: string; onClose: () => void }) {
  const user = useCurrentUser();
  const form = useZodForm(contactSchema, { email: '', name: '' });
  const email = useWatch({ control: form.control, name: 'email' });
  const [saved, setSaved] = useState(0);
  const [add] = client.useAddContactMutation();
  const toast = useToast();
  const failure = { title: messages.addFailed, text: messages.fallback };
  const save = async ({ email: address, name }: { email: string; name: string }) => {
    await add({
      id: listId,
      addContactDto: { email: address, name: orAbsent(name), subscriptionType: contactTypeFor(user.role) },
    }).unwrap();
    toast({
      title: messages.added,
      description: `${address} is Pending until they confirm by email.`,
      variant: 'success',
    });
  };
  const submit = useSubmit(form, failure, async (values) => {
    await save(values);
    onClose();
  });
  const submitAndStay = useSubmit(form, failure, async (values) => {
    await save(values);
    form.reset();
    setSaved((count) => count + 1);
  });
  // Runs after the render that registers the fields of the emptied form.
  useEffect(() => {
    if (saved > 0) form.setFocus('email');
  }, [saved, form]);
  return (
    <DialogForm
      roomy
      onSubmit={submit}
      submitLabel="Add Contact"
      also={
        <Button
          variant="outlined"
          color="inherit"
          disabled={!email.trim() || form.formState.isSubmitting}
          onClick={submitAndStay}
        >
          Save and add another
        </Button>
      }
      {...dialogState(form)}
      disabled={!email.trim()}
    >
      <ContactAddressField
        control={form.control}
        name="email"
        helperText={
          user.isVerified
            ? 'They get one email asking them to confirm'
            : 'They get the email asking them to confirm once you have verified your own address'
        }
      />
      <TextField control={form.control} name="name" label="Name" optional autoComplete="off" maxLength={200} />
    </DialogForm>
  );
}

const contactSchema = z.object({ email: emailField, name: optionalText(200) });
