import { matchPath, routes, type RouteName } from '../lib/routes';
import { publicScreens, type LoadScreen } from './public-screens';

/**
 * Every screen, each in a chunk of its own. A screen that shows parts of two features is put together here, since
 * features do not import each other.
 */
export const screens: Record<RouteName, LoadScreen> = {
  home: () => import('../features/dashboard/dashboard-screen').then((module) => module.DashboardScreen),
  dashboard: () => import('../features/dashboard/dashboard-screen').then((module) => module.DashboardScreen),
  send: () => import('../features/send/wizard/send-screen').then((module) => module.SendScreen),
  sendDraft: () => import('../features/send/wizard/send-screen').then((module) => module.SendScreen),
  library: () => import('../features/library/components/library-screen').then((module) => module.LibraryScreen),
  libraryTemplate: () =>
    import('../features/library/components/template-screen').then((module) => module.TemplateScreen),
  lists: () => import('../features/lists/lists-screen').then((module) => module.ListsScreen),
  list: () => import('../features/lists/list-screen').then((module) => module.ListScreen),
  contacts: () => import('../features/contacts/contacts-screen').then((module) => module.ContactsScreen),
  doNotSend: () =>
    import('../features/contacts/do-not-send/do-not-send-screen').then((module) => module.DoNotSendScreen),
  companies: () => import('../features/contacts/companies/companies-screen').then((module) => module.CompaniesScreen),
  contactImport: () =>
    import('../features/contacts/import/import-start-screen').then((module) => module.ImportStartScreen),
  contactImportRun: () => import('../features/contacts/import/import-screen').then((module) => module.ImportScreen),
  segments: () => import('../features/contacts/segments/segments-screen').then((module) => module.SegmentsScreen),
  segment: () => import('../features/contacts/segments/segment-screen').then((module) => module.SegmentScreen),
  contactProfile: () => import('../features/contacts/profile/profile-screen').then((module) => module.ProfileScreen),
  history: () => import('../features/history/history-screen').then((module) => module.HistoryScreen),
  historyEntry: () => import('../features/history/history-entry-screen').then((module) => module.HistoryEntryScreen),
  notifications: () =>
    import('../features/notifications/notifications-screen').then((module) => module.NotificationsScreen),
  scheduled: () => import('../features/schedules/scheduled-screen').then((module) => module.ScheduledScreen),
  referrals: () => import('../features/referrals/referrals-screen').then((module) => module.ReferralsScreen),
  upgrade: () => import('../features/billing/upgrade-screen').then((module) => module.UpgradeScreen),
  operations: () => import('../features/admin/operations-screen').then((module) => module.OperationsScreen),
  settings: async () => {
    const [{ SettingsScreen }, { BillingPanel }, { NotificationSettings }] = await Promise.all([
      import('../features/settings/settings-screen'),
      import('../features/billing/billing-panel'),
      import('../features/notifications/notification-settings'),
    ]);
    return () => <SettingsScreen billing={<BillingPanel />} notifications={<NotificationSettings />} />;
  },
  admin: async () => {
    const [{ AdminScreen }, { DefaultList }] = await Promise.all([
      import('../features/admin/admin-screen'),
      import('../features/lists/contacts/default-list'),
    ]);
    return () => <AdminScreen defaultList={<DefaultList />} />;
  },
  ...publicScreens,
};

/** The most frequently opened screens, in this order. */
const LIKELY: readonly RouteName[] = ['lists', 'list', 'send', 'history', 'historyEntry', 'dashboard', 'settings'];

const fetched = new Set<RouteName>();

/** Fetches a screen's code before it is opened. A failure is not reported here: opening the screen tries again. */
export function prefetchScreen(name: RouteName): Promise<unknown> {
  if (fetched.has(name)) return Promise.resolve();
  fetched.add(name);
  return screens[name]().catch(() => fetched.delete(name));
}

/** The screen to which a link within this app leads. */
function screenOf(target: EventTarget | null): RouteName | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.hasAttribute('download'))
    return undefined;
  return (Object.keys(routes) as RouteName[]).find((name) => matchPath(routes[name].path, link.pathname));
}

/**
 * Fetches the screen of a link when the pointer or the focus reaches the link.
 * @returns a function that stops this
 */
export function prefetchOnIntent(): () => void {
  const onIntent = ({ target }: Event) => {
    const name = screenOf(target);
    if (name) void prefetchScreen(name);
  };
  document.addEventListener('pointerover', onIntent, { passive: true });
  document.addEventListener('focusin', onIntent);
  return () => {
    document.removeEventListener('pointerover', onIntent);
    document.removeEventListener('focusin', onIntent);
  };
}

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Time in ms for the first screen to fetch and draw its data: on a slow phone, code of other screens would delay it.
 */
const FIRST_SCREEN_MS = 6_000;

/**
 * Fetches the most frequently opened screens one by one while the browser is idle, unless the browser saves data.
 * @returns a function that stops this
 */
export function prefetchWhenIdle(): () => void {
  if (typeof requestIdleCallback === 'undefined' || savesData()) return () => undefined;
  let handle = 0;
  const next = (index: number) => {
    const name = LIKELY[index];
    if (name) handle = requestIdleCallback(() => void prefetchScreen(name).then(() => next(index + 1)));
  };
  const start = setTimeout(() => next(0), FIRST_SCREEN_MS);
  return () => {
    clearTimeout(start);
    cancelIdleCallback(handle);
  };
}
