import { z } from 'zod';
import { client } from '../../../api/client';
import { plural } from '../../../lib/format';
import { emailField } from '../../../lib/zod-texts';
import { ContactAddressField } from '../../../shared/contact-address-field';
import { DeleteDialog } from '../../../ui/dialog/delete-dialog';
import { dialogState, FormDialog } from '../../../ui/dialog/dialog-form';
import { TextField } from '../../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../../ui/form/use-form';
import { useToast } from '../../../ui/toast/toast';
import { messages, nameOf, type ProfileDetail } from '../api';

interface ProfileDialogProps {
  profile: ProfileDetail;
  onClose: () => void;
}

const MAX_NOTE_LENGTH = 5000;
const noteSchema = z.object({
  body: z
    .string()
    .trim()
    .min(1, 'Please write a note')
    .max(MAX_NOTE_LENGTH, `At most ${MAX_NOTE_LENGTH.toLocaleString('en-US')} characters`),
});

/** Adds a note to the person's timeline. */
export function NoteDialog({ profile, onClose }: ProfileDialogProps) {
  const form = useZodForm(noteSchema, { body: '' });
  const [add] = client.useAddNoteMutation();
  const submit = useSubmit(form, { title: messages.noteFailed, text: messages.tryAgain }, async ({ body }) => {
    await add({ id: profile.id, createNoteDto: { body } }).unwrap();
    onClose();
  });
  return (
    <FormDialog
      title={`Note about ${nameOf(profile)}`}
      maxWidth="sm"
      onSubmit={submit}
      onClose={onClose}
      submitLabel="Save note"
      {...dialogState(form)}
    >
      <TextField
        control={form.control}
        name="body"
        label="Note"
        multiline
        minRows={4}
        maxRows={12}
        maxLength={MAX_NOTE_LENGTH}
        autoFocus
      />
    </FormDialog>
  );
}

const addressSchema = z.object({ email: emailField });

/** Changes the address on all lists: each asks for a new confirmation. */
export function AddressDialog({ profile, onClose }: ProfileDialogProps) {
  const form = useZodForm(addressSchema, { email: profile.email });
  const [change] = client.useChangeProfileAddressMutation();
  const toast = useToast();
  const failure = {
    title: messages.addressFailed,
    text: messages.tryAgain,
    fields: { contact_exists: 'email', suppressed: 'email' },
  } as const;
  const submit = useSubmit(form, failure, async ({ email }) => {
    if (email !== profile.email) {
      await change({ id: profile.id, profileAddressDto: { email } }).unwrap();
      toast({ title: messages.addressChanged, description: email, variant: 'success' });
    }
    onClose();
  });
  const lists = profile.lists.length;
  return (
    <FormDialog
      title="Change address"
      onSubmit={submit}
      onClose={onClose}
      submitLabel="Change address"
      {...dialogState(form)}
    >
      <ContactAddressField
        control={form.control}
        name="email"
        helperText={
          lists > 0
            ? `The new address has to confirm again on ${plural(lists, 'list')}`
            : 'The person is on no list, so nobody is asked to confirm'
        }
      />
    </FormDialog>
  );
}

/** Deletes a person with memberships, tags and notes, after a confirmation that says what stays. */
export function DeleteProfileDialog({ profile, onClose, onDeleted }: ProfileDialogProps & { onDeleted: () => void }) {
  const [remove] = client.useDeleteProfileMutation();
  const toast = useToast();
  const confirm = async () => {
    await remove({ id: profile.id }).unwrap();
    toast({ title: messages.deleted, description: profile.email, variant: 'success' });
    onDeleted();
  };
  return (
    <DeleteDialog
      title={`Delete ${nameOf(profile)}?`}
      confirmLabel="Delete contact"
      onDelete={confirm}
      onClose={onClose}
    >
      {`Removes ${profile.email} from ${plural(profile.lists.length, 'list')}, with all details, tags and notes. This action cannot be undone. Unsubscribes and the record of past sends stay.`}
    </DeleteDialog>
  );
}
