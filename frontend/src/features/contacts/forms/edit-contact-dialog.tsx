import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useId } from 'react';
import { errorMessage } from '../../../api/api-error';
import { TextField } from '../../../ui/form/text-field';
import { placeFieldFaults, useZodForm } from '../../../ui/form/use-form';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useUpdateContact, type Contact } from '../api';
import { messages } from '../messages';
import { contactSchema } from './contact-schema';

/** Changes a contact's address or name; a changed address starts Pending again. */
export function EditContactDialog({ listId, contact, onClose }: { listId: string; contact: Contact; onClose: () => void }) {
  const id = useId();
  const form = useZodForm(contactSchema, { email: contact.email, name: contact.name ?? '' });
  const update = useUpdateContact(listId);
  const toast = useToast();
  const submit = form.handleSubmit(async ({ email, name }) => {
    try {
      await update(contact.id, { ...(email !== contact.email && { email }), name: name.trim() });
      toast({ title: messages.updated, description: email, variant: 'success' });
      onClose();
    } catch (error) {
      placeFieldFaults(form, error);
      toast({ title: messages.updateFailed, description: errorMessage(error, messages.fallback), variant: 'destructive' });
    }
  });
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>Edit contact</DialogTitle>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <DialogContent>
          <Stack sx={{ gap: 1.25 }}>
            <TextField control={form.control} name="email" label="Email" type="email" autoComplete="off" maxLength={254} autoFocus helperText="A changed address has to confirm again" />
            <TextField control={form.control} name="name" label="Name" optional autoComplete="off" maxLength={200} />
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" color="inherit" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton pending={form.formState.isSubmitting}>Save changes</SubmitButton>
        </DialogActions>
      </form>
    </Dialog>
  );
}
