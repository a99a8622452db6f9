import { Landing } from '../../../features/landing/components/landing';

export default function LandingRoute() {
  return <Landing />;
}
