/** The web app's screens (product.md §2): these paths answer 200, any other serves the not-found page with 404. */
const SCREENS = [
  '/', '/dashboard', '/lists', '/lists/:id', '/send', '/history', '/history/:id', '/referrals', '/subscribe', '/settings', '/admin', '/admin/operations',
  '/login', '/register', '/forgot-password', '/reset-password', '/not-me', '/no-invites', '/check-email', '/verify-email',
  '/subscribe/list/:slug', '/subscribe/pending', '/subscribe/confirmed', '/unsubscribe/:token', '/never-ask/:token',
];

/** Pages whose address holds a token: never cached, never indexed. */
const TOKEN_PAGES = ['/verify-email', '/reset-password', '/not-me', '/no-invites', '/subscribe/confirmed', '/unsubscribe/:token', '/never-ask/:token'];

const matcher = (paths: string[]) => new RegExp(`^(${paths.map((path) => path.replace(/:\w+/g, '[^/]+')).join('|')})$`);
const SCREEN = matcher(SCREENS);
const TOKEN_PAGE = matcher(TOKEN_PAGES);
const trimmed = (path: string) => path.replace(/(?<=.)\/$/, '');

/** Whether the web app has a screen at this path. */
export const isScreen = (path: string): boolean => SCREEN.test(trimmed(path));

/** Whether the path of a page holds a token, or its query does. */
export const isTokenPage = (path: string): boolean => TOKEN_PAGE.test(trimmed(path));
