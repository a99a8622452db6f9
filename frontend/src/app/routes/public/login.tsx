import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';
import { LoginForm } from '../../../features/auth/forms/login-form';
import { routes } from '../../../lib/routes';
import { FormCard } from '../../../ui/form-card';

export default function LoginRoute() {
  return (
    <FormCard
      title="Sign in"
      footer={
        <>
          New here?{' '}
          <Link component={RouterLink} to={routes.register.path}>
            Create an account
          </Link>
        </>
      }
    >
      <LoginForm />
    </FormCard>
  );
}
