import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import Stack from '@mui/material/Stack';
import { useWatch } from 'react-hook-form';
import { errorMessage } from '../../../api/api-error';
import { contactTypeFor } from '../../../lib/roles';
import { orAbsent } from '../../../lib/zod-texts';
import { TextField } from '../../../ui/form/text-field';
import { placeFieldFaults, useZodForm } from '../../../ui/form/use-form';
import { SubmitButton } from '../../../ui/submit-button';
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
  const submit = form.handleSubmit(async (values) => {
    try {
      await add({ email: values.email, name: orAbsent(values.name), subscriptionType: contactTypeFor(user.role) });
      toast({ title: messages.added, description: `${values.email} is Pending until they confirm by email.`, variant: 'success' });
      onClose();
    } catch (error) {
      placeFieldFaults(form, error);
      toast({ title: messages.addFailed, description: errorMessage(error, messages.fallback), variant: 'destructive' });
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <DialogContent sx={{ pt: 2.5 }}>
        <Stack sx={{ gap: 1.25 }}>
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
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton pending={form.formState.isSubmitting} disabled={!email.trim()}>
          Add Contact
        </SubmitButton>
      </DialogActions>
    </form>
  );
}
