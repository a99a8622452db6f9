import { matchPath } from 'react-router-dom';
import { isReady, routes, type RouteName } from '../../lib/routes';
import { IconDashboard, IconHistory, IconLists, IconReferrals, IconSend, IconSettings, IconShield, type Icon } from '../../ui/icons';

export interface NavigationEntry {
  route: RouteName;
  label: string;
  icon: Icon;
  adminOnly?: boolean;
}

const entries: NavigationEntry[] = [
  { route: 'dashboard', label: 'Dashboard', icon: IconDashboard },
  { route: 'send', label: 'Send Email', icon: IconSend },
  { route: 'lists', label: 'Email Lists', icon: IconLists },
  { route: 'history', label: 'History', icon: IconHistory },
  { route: 'referrals', label: 'Referrals', icon: IconReferrals },
  { route: 'settings', label: 'Settings', icon: IconSettings },
  { route: 'admin', label: 'Admin', icon: IconShield, adminOnly: true },
];

/** The sidebar's entries for this person; those whose screen does not exist yet are left out. */
export const entriesFor = (isAdmin: boolean) => entries.filter((entry) => isReady(entry.route) && (!entry.adminOnly || isAdmin));

/** Whether the entry is the one for this address: / is the dashboard, /lists/{id} belongs to Email Lists. */
export function isActive(entry: NavigationEntry, pathname: string): boolean {
  const { path } = routes[entry.route];
  return Boolean(matchPath({ path, end: false }, pathname)) || (entry.route === 'dashboard' && pathname === routes.home.path);
}
