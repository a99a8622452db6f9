import { useSearchParams } from 'react-router-dom';
import { NotMe } from '../../../features/auth/components/not-me';
import { PlainCard } from '../../../ui/plain-card';

export default function NotMeRoute() {
  const [params] = useSearchParams();
  return (
    <PlainCard>
      <NotMe token={params.get('token')} />
    </PlainCard>
  );
}
