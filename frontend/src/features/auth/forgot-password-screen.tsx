import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { z } from 'zod';
import { client } from '../../api/client';
import { AppLink } from '../../lib/navigation';
import { routes } from '../../lib/routes';
import { emailField } from '../../lib/zod-texts';
import { SubmitButton } from '../../ui/form/submit-button';
import { TextField } from '../../ui/form/text-field';
import { useSubmit, useZodForm } from '../../ui/form/use-form';
import { IconMail } from '../../ui/icons';
import { FormCard, PlainCard, ResultPage } from '../../ui/page/public-page';
import { messages } from './messages';

/** Asks for the address, then shows the server's answer, which is the same whether or not the address has an account. */
export function ForgotPasswordScreen() {
  const [answer, setAnswer] = useState<string | null>(null);
  const back = (
    <Link component={AppLink} to={routes.login.path}>
      Back to login
    </Link>
  );
  if (answer !== null) {
    return (
      <PlainCard>
        <ResultPage icon={IconMail} title={messages.resetRequested} text={answer}>
          {back}
        </ResultPage>
      </PlainCard>
    );
  }
  return (
    <FormCard
      title="Forgot your password?"
      text="Tell us your email and we send you a link to set a new one."
      footer={back}
    >
      <ForgotPasswordForm onSent={setAnswer} />
    </FormCard>
  );
}

const schema = z.object({ email: emailField });

function ForgotPasswordForm({ onSent }: { onSent: (message: string) => void }) {
  const form = useZodForm(schema, { email: '' });
  const [requestLink] = client.useForgotPasswordMutation();
  const submit = useSubmit(form, { title: messages.resetRequestFailed, text: messages.tryAgain }, async ({ email }) => {
    onSent((await requestLink({ forgotPasswordDto: { email } }).unwrap()).message);
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
