import { routes } from '../../lib/routes';
import { RouteTabs } from '../../ui/page/route-tabs';

const tabs = [
  { path: routes.contacts.path, label: 'People' },
  { path: routes.segments.path, label: 'Segments' },
  { path: routes.companies.path, label: 'Companies' },
  { path: routes.doNotSend.path, label: 'Do not send' },
] as const;

/** Tabs for the screens about contacts. */
export const ContactsTabs = () => <RouteTabs label="Contacts" tabs={tabs} />;
