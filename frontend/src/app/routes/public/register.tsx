import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';
import { RegisterForm } from '../../../features/auth/forms/register-form';
import { routes } from '../../../lib/routes';
import { FormCard } from '../../../ui/form-card';

export default function RegisterRoute() {
  return (
    <FormCard
      title="Create your account"
      text="Free to start, no credit card."
      footer={
        <>
          Have an account?{' '}
          <Link component={RouterLink} to={routes.login.path}>
            Sign in
          </Link>
        </>
      }
    >
      <RegisterForm />
    </FormCard>
  );
}
