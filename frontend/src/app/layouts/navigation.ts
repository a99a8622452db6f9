import { matchPath } from 'react-router-dom';
import { routes, type RouteName } from '../../lib/routes';
import {
  IconDashboard,
  IconHistory,
  IconLibrary,
  IconLists,
  IconReferrals,
  IconSend,
  IconSettings,
  IconShield,
  IconUsers,
  type Icon,
} from '../../ui/icons';

export interface NavigationEntry {
  route: RouteName;
  label: string;
  icon: Icon;
  adminOnly?: boolean;
}

const entries: NavigationEntry[] = [
  { route: 'dashboard', label: 'Dashboard', icon: IconDashboard },
  { route: 'send', label: 'Send Email', icon: IconSend },
  { route: 'library', label: 'Library', icon: IconLibrary },
  { route: 'lists', label: 'Email Lists', icon: IconLists },
  { route: 'contacts', label: 'Contacts', icon: IconUsers },
  { route: 'history', label: 'History', icon: IconHistory },
  { route: 'referrals', label: 'Referrals', icon: IconReferrals },
  { route: 'settings', label: 'Settings', icon: IconSettings },
  { route: 'admin', label: 'Admin', icon: IconShield, adminOnly: true },
];

/** The sidebar's entries for this person. */
export const entriesFor = (isAdmin: boolean) => entries.filter((entry) => !entry.adminOnly || isAdmin);

/** Whether the URL belongs to the entry: / to Dashboard, /lists/{id} to Email Lists. */
export function isActive(entry: NavigationEntry, pathname: string): boolean {
  const { path } = routes[entry.route];
  return (
    Boolean(matchPath({ path, end: false }, pathname)) ||
    (entry.route === 'dashboard' && pathname === routes.home.path) ||
    (entry.route === 'history' && pathname === routes.scheduled.path)
  );
}
