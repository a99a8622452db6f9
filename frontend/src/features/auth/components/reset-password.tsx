import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { FormCard } from '../../../ui/form-card';
import { IconError } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { PlainCard } from '../../../ui/plain-card';
import { ResetPasswordForm } from '../forms/reset-password-form';
import { messages } from '../messages';

/** A new password by the mailed link, then on to /login. */
export function ResetPassword({ token }: { token: string | null }) {
  const [fault, setFault] = useState<string | null>(token ? null : messages.resetTokenMissing);
  if (token && fault === null) {
    return (
      <FormCard title="Set a new password" text="All your devices are signed out by it." footer={<Link component={RouterLink} to={routes.login.path}>Back to login</Link>}>
        <ResetPasswordForm token={token} onRefused={setFault} />
      </FormCard>
    );
  }
  return (
    <PlainCard>
      <Outcome icon={IconError} tone="bad" title={messages.resetFailed} text={fault}>
        <Button component={RouterLink} to={routes.forgotPassword.path} variant="contained">
          Request a new link
        </Button>
      </Outcome>
    </PlainCard>
  );
}
