import { UpgradeScreen } from '../../../features/billing/components/upgrade-screen';

export default function UpgradeRoute() {
  return <UpgradeScreen />;
}
