import { BillingPanel } from '../../../features/billing/components/billing-panel';
import { SettingsScreen } from '../../../features/settings/components/settings-screen';

export default function SettingsRoute() {
  return <SettingsScreen billing={<BillingPanel />} />;
}
