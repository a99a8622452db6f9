import { useNavigate } from 'react-router-dom';
import { Landing } from '../../../features/landing/components/landing';
import { NetworkForm } from '../../../features/subscribe/forms/network-form';
import { routes } from '../../../lib/routes';
import { useToast } from '../../../ui/toast';

/** The landing page within the application: after logging out, or by the brand's link. */
export default function LandingRoute() {
  const toast = useToast();
  const navigate = useNavigate();
  const asked: typeof toast = (said) => {
    toast(said);
    void navigate(routes.subscribePending.path);
  };
  return <Landing subscribe={<NetworkForm onAsked={asked} onRefused={toast} />} />;
}
