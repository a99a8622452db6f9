import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { Link as RouterLink } from 'react-router-dom';
import { z } from 'zod';
import { errorMessage } from '../../../api/api-error';
import { isReady, routes } from '../../../lib/routes';
import { currentPasswordField, emailField } from '../../../lib/zod-texts';
import { PasswordField } from '../../../ui/form/password-field';
import { TextField } from '../../../ui/form/text-field';
import { useZodForm } from '../../../ui/form/use-form';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useLogin } from '../api';
import { messages } from '../messages';

const schema = z.object({ email: emailField, password: currentPasswordField });

/** Email and password. The guard above leads on once someone is signed in. */
export function LoginForm() {
  const form = useZodForm(schema, { email: '', password: '' });
  const [login] = useLogin();
  const toast = useToast();
  const submit = form.handleSubmit(async (values) => {
    try {
      const { refresh } = await login(values);
      toast({ title: messages.success, description: messages.loggedIn, variant: 'success' });
      await refresh();
    } catch (error) {
      toast({ title: messages.loginFailed, description: errorMessage(error, messages.loginFallback), variant: 'destructive' });
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack sx={{ gap: 1.25 }}>
        <TextField control={form.control} name="email" label="Email" type="email" autoComplete="username" autoFocus />
        <PasswordField control={form.control} name="password" label="Password" autoComplete="current-password" />
        {isReady('forgotPassword') && (
          <Link component={RouterLink} to={routes.forgotPassword.path} variant="body2" sx={{ alignSelf: 'flex-start', mb: 1.5 }}>
            Forgot password?
          </Link>
        )}
        <SubmitButton size="large" fullWidth pending={form.formState.isSubmitting}>
          Sign In
        </SubmitButton>
      </Stack>
    </form>
  );
}
