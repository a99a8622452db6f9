import Stack from '@mui/material/Stack';
import { z } from 'zod';
import { errorMessage } from '../../../api/api-error';
import { emailField } from '../../../lib/zod-texts';
import { TextField } from '../../../ui/form/text-field';
import { placeFieldFaults, useZodForm } from '../../../ui/form/use-form';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useForgotPassword } from '../api';
import { messages } from '../messages';

const schema = z.object({ email: emailField });

/** The address that the link goes to. */
export function ForgotPasswordForm({ onSent }: { onSent: (message: string) => void }) {
  const form = useZodForm(schema, { email: '' });
  const ask = useForgotPassword();
  const toast = useToast();
  const submit = form.handleSubmit(async ({ email }) => {
    try {
      onSent((await ask(email)).message);
    } catch (error) {
      placeFieldFaults(form, error);
      toast({ title: messages.resetRequestFailed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack sx={{ gap: 1.25 }}>
        <TextField control={form.control} name="email" label="Email" type="email" autoComplete="username" autoFocus />
        <SubmitButton size="large" fullWidth pending={form.formState.isSubmitting}>
          Send reset link
        </SubmitButton>
      </Stack>
    </form>
  );
}
