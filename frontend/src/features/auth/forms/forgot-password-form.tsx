import Stack from '@mui/material/Stack';
import { z } from 'zod';
import { emailField } from '../../../lib/zod-texts';
import { TextField } from '../../../ui/form/text-field';
import { useZodForm } from '../../../ui/form/use-form';
import { useSubmit } from '../../../ui/form/use-submit';
import { SubmitButton } from '../../../ui/submit-button';
import { useForgotPassword } from '../api';
import { messages } from '../messages';

const schema = z.object({ email: emailField });

/** The address that the link goes to. */
export function ForgotPasswordForm({ onSent }: { onSent: (message: string) => void }) {
  const form = useZodForm(schema, { email: '' });
  const ask = useForgotPassword();
  const submit = useSubmit(form, { title: messages.resetRequestFailed, text: messages.tryAgain }, async ({ email }) => {
    onSent((await ask(email)).message);
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack sx={{ gap: 1.25 }}>
        <TextField control={form.control} name="email" label="Email" type="email" autoComplete="username" autoFocus />
        <SubmitButton size="large" fullWidth pending={form.formState.isSubmitting}>
          Send reset link
        </SubmitButton>
      </Stack>
    </form>
  );
}
