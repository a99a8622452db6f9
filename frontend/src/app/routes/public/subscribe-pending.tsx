import { Pending } from '../../../features/subscribe/components/pending';
import { PlainCard } from '../../../ui/plain-card';

export default function SubscribePendingRoute() {
  return (
    <PlainCard>
      <Pending />
    </PlainCard>
  );
}
