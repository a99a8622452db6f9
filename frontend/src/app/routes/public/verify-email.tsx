import { useSearchParams } from 'react-router-dom';
import { VerifyEmail } from '../../../features/auth/components/verify-email';
import { PlainCard } from '../../../ui/plain-card';

export default function VerifyEmailRoute() {
  const [params] = useSearchParams();
  return (
    <PlainCard>
      <VerifyEmail token={params.get('token')} />
    </PlainCard>
  );
}
