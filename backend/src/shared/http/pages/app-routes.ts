/** Paths of the web app's screens. They answer 200; every other path serves the not-found page with 404. */
const SCREENS = [
  '/',
  '/dashboard',
  '/lists',
  '/lists/:id',
  '/contacts',
  '/contacts/import',
  '/contacts/import/:id',
  '/contacts/:id',
  '/contacts/segments/:id',
  '/send',
  '/send/:id',
  '/library',
  '/library/templates/:id',
  '/history',
  '/history/:id',
  '/scheduled',
  '/notifications',
  '/referrals',
  '/subscribe',
  '/settings',
  '/admin',
  '/admin/operations',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/not-me',
  '/no-invites',
  '/check-email',
  '/verify-email',
  '/subscribe/list/:slug',
  '/subscribe/pending',
  '/subscribe/confirmed',
  '/testers/confirm',
  '/unsubscribe/:token',
  '/never-ask/:token',
  '/mail-settings/:token',
  '/files/:token',
];

/** Pages with a token in the URL: never cached, never indexed. */
const TOKEN_PAGES = [
  '/verify-email',
  '/reset-password',
  '/not-me',
  '/no-invites',
  '/subscribe/confirmed',
  '/testers/confirm',
  '/unsubscribe/:token',
  '/never-ask/:token',
  '/mail-settings/:token',
  '/files/:token',
];

/** Pattern that matches each of these paths. The paths have the form '/lists/:id'. */
export const matcher = (paths: readonly string[]): RegExp =>
  new RegExp(`^(${paths.map((path) => path.replace(/:\w+/g, '[^/]+')).join('|')})$`);
const SCREEN = matcher(SCREENS);
const TOKEN_PAGE = matcher(TOKEN_PAGES);
/** The path without a trailing slash. */
export const trimmed = (path: string): string => path.replace(/(?<=.)\/$/, '');

/** Whether the web app has a screen at this path. */
export const isScreen = (path: string): boolean => SCREEN.test(trimmed(path));

/** Whether the path of a page contains a token, or its query may contain one. */
export const isTokenPage = (path: string): boolean => TOKEN_PAGE.test(trimmed(path));
