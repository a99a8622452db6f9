import { useParams, useSearchParams } from 'react-router-dom';
import { Unsubscribe } from '../../../features/consent/components/unsubscribe';
import { PlainCard } from '../../../ui/plain-card';

export default function UnsubscribeRoute() {
  const { token = '' } = useParams();
  const [params] = useSearchParams();
  return (
    <PlainCard>
      <Unsubscribe token={token} mailedAt={params.get('m')} />
    </PlainCard>
  );
}
