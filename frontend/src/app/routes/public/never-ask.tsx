import { useParams } from 'react-router-dom';
import { NeverAsk } from '../../../features/consent/components/never-ask';
import { PlainCard } from '../../../ui/plain-card';

export default function NeverAskRoute() {
  const { token = '' } = useParams();
  return (
    <PlainCard>
      <NeverAsk token={token} />
    </PlainCard>
  );
}
