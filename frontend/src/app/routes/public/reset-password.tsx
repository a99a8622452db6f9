import { useSearchParams } from 'react-router-dom';
import { ResetPassword } from '../../../features/auth/components/reset-password';

export default function ResetPasswordRoute() {
  const [params] = useSearchParams();
  return <ResetPassword token={params.get('token')} />;
}
