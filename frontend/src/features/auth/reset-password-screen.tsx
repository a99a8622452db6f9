import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { z } from 'zod';
import { errorMessage, isApiError } from '../../api/api-error';
import { client } from '../../api/client';
import { useClearSession } from '../../api/session';
import { AppLink, useNavigation, useSearch } from '../../lib/navigation';
import { routes } from '../../lib/routes';
import { newPasswordField, passwordsDiffer } from '../../lib/zod-texts';
import { PasswordField } from '../../ui/form/password-field';
import { SubmitButton } from '../../ui/form/submit-button';
import { applyServerErrors, useZodForm } from '../../ui/form/use-form';
import { IconError } from '../../ui/icons';
import { FormCard, PlainCard, ResultPage } from '../../ui/page/public-page';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';

/** Sets a new password with the token of the mailed link, then goes to /login. */
export function ResetPasswordScreen() {
  const token = useSearch().get('token');
  const [refusal, setRefusal] = useState<string | null>(token ? null : messages.resetTokenMissing);
  if (token && refusal === null) {
    return (
      <FormCard
        title="Set a new password"
        text="All your devices are signed out by it."
        footer={
          <Link component={AppLink} to={routes.login.path}>
            Back to login
          </Link>
        }
      >
        <ResetPasswordForm token={token} onRefused={setRefusal} />
      </FormCard>
    );
  }
  return (
    <PlainCard>
      <ResultPage icon={IconError} tone="error" title={messages.resetFailed} text={refusal}>
        <Button component={AppLink} to={routes.forgotPassword.path} variant="contained">
          Request a new link
        </Button>
      </ResultPage>
    </PlainCard>
  );
}

const schema = z
  .object({ password: newPasswordField, confirmPassword: z.string() })
  .refine((values) => values.password === values.confirmPassword, passwordsDiffer);

/** @param onRefused called with the server's text when the link is expired or used */
function ResetPasswordForm({ token, onRefused }: { token: string; onRefused: (message: string) => void }) {
  const form = useZodForm(schema, { password: '', confirmPassword: '' });
  const [reset] = client.useResetPasswordMutation();
  const clearSession = useClearSession();
  const toast = useToast();
  const { go } = useNavigation();
  const submit = form.handleSubmit(async ({ password }) => {
    try {
      const { message } = await reset({ resetPasswordDto: { token, password } }).unwrap();
      // The reset signs out every device, this one too.
      clearSession();
      toast({ title: messages.success, description: message || messages.resetDone, variant: 'success' });
      go(routes.login.path, { replace: true });
    } catch (error) {
      const message = errorMessage(error, messages.tryAgain);
      if (isApiError(error) && error.code === 'token_invalid') return onRefused(message);
      applyServerErrors(form, error);
      toast({ title: messages.resetFailed, description: message, variant: 'destructive' });
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack sx={{ gap: 1.25 }}>
        <PasswordField control={form.control} name="password" label="New password" autoComplete="new-password" hint />
        <PasswordField
          control={form.control}
          name="confirmPassword"
          label="Confirm password"
          autoComplete="new-password"
        />
        <SubmitButton size="large" fullWidth pending={form.formState.isSubmitting}>
          Change password
        </SubmitButton>
      </Stack>
    </form>
  );
}
