import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { useAskWhoIsSignedIn } from '../../api/session';
import { AppLink } from '../../lib/navigation';
import { routes } from '../../lib/routes';
import { emailError, texts } from '../../lib/texts';
import { useFields } from '../../lib/use-fields';
import { PlainField, usePasswordVisibility } from '../../ui/form/plain-field';
import { SubmitButton } from '../../ui/form/submit-button';
import { FormCard } from '../../ui/page/public-page';
import { useToast } from '../../ui/toast/toast';
import { GuestGuard } from './guest-guard';
import { messages } from './messages';

export function LoginScreen() {
  return (
    <GuestGuard>
      <LoginCard />
    </GuestGuard>
  );
}

/** The card for signing in. The build renders it to HTML as well (app/prerender.tsx). */
export function LoginCard() {
  return (
    <FormCard
      title="Sign in"
      footer={
        <>
          New here?{' '}
          <Link component={AppLink} to={routes.register.path}>
            Create an account
          </Link>
        </>
      }
    >
      <LoginForm />
    </FormCard>
  );
}

const checks = { email: emailError, password: (value: string) => (value ? undefined : texts.passwordMissing) };

/**
 * Email and password. Does not use the form library, to keep the first screen small. GuestGuard redirects after signing
 * in.
 */
function LoginForm() {
  const { field, submit, pending } = useFields(checks);
  const [login] = client.useLoginMutation();
  const askWhoIsSignedIn = useAskWhoIsSignedIn();
  const toast = useToast();
  const onSubmit = submit(async ({ email, password }) => {
    try {
      await login({ loginDto: { email: email.trim(), password } }).unwrap();
      toast({ title: messages.success, description: messages.loggedIn, variant: 'success' });
      await askWhoIsSignedIn();
    } catch (error) {
      toast({
        title: messages.loginFailed,
        description: errorMessage(error, messages.loginFallback),
        variant: 'destructive',
      });
    }
  });
  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate>
      <Stack sx={{ gap: 1.25 }}>
        <PlainField {...field('email')} label="Email" type="email" autoComplete="username" autoFocus />
        <PlainField
          {...field('password')}
          {...usePasswordVisibility()}
          label="Password"
          autoComplete="current-password"
          spelled={false}
        />
        <Link
          component={AppLink}
          to={routes.forgotPassword.path}
          variant="body2"
          sx={{ alignSelf: 'flex-start', mb: 1.5 }}
        >
          Forgot password?
        </Link>
        <SubmitButton size="large" fullWidth pending={pending}>
          Sign In
        </SubmitButton>
      </Stack>
    </form>
  );
}
