import { useSearchParams } from 'react-router-dom';
import { Confirmation } from '../../../features/consent/components/confirmation';
import { PlainCard } from '../../../ui/plain-card';

export default function SubscribeConfirmedRoute() {
  const [params] = useSearchParams();
  return (
    <PlainCard>
      <Confirmation token={params.get('token')} />
    </PlainCard>
  );
}
