import { useSearchParams } from 'react-router-dom';
import { NoInvitesPanel } from '../../../features/referrals/components/no-invites';
import { PlainCard } from '../../../ui/plain-card';

export default function NoInvitesRoute() {
  const [params] = useSearchParams();
  return (
    <PlainCard>
      <NoInvitesPanel token={params.get('token')} />
    </PlainCard>
  );
}
