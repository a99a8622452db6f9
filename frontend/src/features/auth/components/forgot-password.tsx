import Link from '@mui/material/Link';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { FormCard } from '../../../ui/form-card';
import { IconMail } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { PlainCard } from '../../../ui/plain-card';
import { ForgotPasswordForm } from '../forms/forgot-password-form';
import { messages } from '../messages';

/** Asks for the address, then says where the link went: the same whether or not it has an account. */
export function ForgotPassword() {
  const [answer, setAnswer] = useState<string | null>(null);
  const back = (
    <Link component={RouterLink} to={routes.login.path}>
      Back to login
    </Link>
  );
  if (answer !== null) {
    return (
      <PlainCard>
        <Outcome icon={IconMail} title={messages.resetRequested} text={answer}>
          {back}
        </Outcome>
      </PlainCard>
    );
  }
  return (
    <FormCard title="Forgot your password?" text="Tell us your email and we send you a link to set a new one." footer={back}>
      <ForgotPasswordForm onSent={setAnswer} />
    </FormCard>
  );
}
