import Stack from '@mui/material/Stack';
import { useNavigate } from 'react-router-dom';
import { errorMessage, isApiError } from '../../../api/api-error';
import { routes } from '../../../lib/routes';
import { PasswordField } from '../../../ui/form/password-field';
import { placeFieldFaults, useZodForm } from '../../../ui/form/use-form';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useResetPassword } from '../api';
import { messages } from '../messages';
import { newPasswordSchema } from './new-password-schema';

/** The new password; `onRefused` is told when the link itself is no good. */
export function ResetPasswordForm({ token, onRefused }: { token: string; onRefused: (message: string) => void }) {
  const form = useZodForm(newPasswordSchema, { password: '', confirmPassword: '' });
  const reset = useResetPassword();
  const toast = useToast();
  const navigate = useNavigate();
  const submit = form.handleSubmit(async ({ password }) => {
    try {
      const { answer, forget } = await reset(token, password);
      forget();
      toast({ title: messages.success, description: answer.message || messages.resetDone, variant: 'success' });
      await navigate(routes.login.path, { replace: true });
    } catch (error) {
      const message = errorMessage(error, messages.tryAgain);
      if (isApiError(error) && error.code === 'token_invalid') return onRefused(message);
      placeFieldFaults(form, error);
      toast({ title: messages.resetFailed, description: message, variant: 'destructive' });
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack sx={{ gap: 1.25 }}>
        <PasswordField control={form.control} name="password" label="New password" autoComplete="new-password" hint />
        <PasswordField control={form.control} name="confirmPassword" label="Confirm password" autoComplete="new-password" />
        <SubmitButton size="large" fullWidth pending={form.formState.isSubmitting}>
          Change password
        </SubmitButton>
      </Stack>
    </form>
  );
}
