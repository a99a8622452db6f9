import { useSearchParams } from 'react-router-dom';
import { CheckEmail } from '../../../features/auth/components/check-email';
import { PlainCard } from '../../../ui/plain-card';

export default function CheckEmailRoute() {
  const [params] = useSearchParams();
  return (
    <PlainCard>
      <CheckEmail email={params.get('email')} />
    </PlainCard>
  );
}
