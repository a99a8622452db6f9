/**
 * Every screen's address, once. `ready` says whether its screen exists: links and sidebar entries to a screen that
 * does not are left out, so nothing leads to a dead end. A new screen turns its flag and adds its route in app/router.
 */
export const routes = {
  home: { path: '/', ready: true },
  login: { path: '/login', ready: true },
  register: { path: '/register', ready: true },
  forgotPassword: { path: '/forgot-password', ready: true },
  resetPassword: { path: '/reset-password', ready: true },
  checkEmail: { path: '/check-email', ready: true },
  verifyEmail: { path: '/verify-email', ready: true },
  notMe: { path: '/not-me', ready: true },
  invite: { path: '/invite/:code?', ready: true },
  noInvites: { path: '/no-invites', ready: true },
  dashboard: { path: '/dashboard', ready: true },
  send: { path: '/send', ready: true },
  lists: { path: '/lists', ready: true },
  list: { path: '/lists/:listId', ready: true },
  history: { path: '/history', ready: true },
  historyEntry: { path: '/history/:entryId', ready: true },
  referrals: { path: '/referrals', ready: true },
  settings: { path: '/settings', ready: true },
  admin: { path: '/admin', ready: true },
  operations: { path: '/admin/operations', ready: true },
  upgrade: { path: '/subscribe', ready: true },
  subscribeList: { path: '/subscribe/list/:slug', ready: true },
  subscribePending: { path: '/subscribe/pending', ready: true },
  subscribeConfirmed: { path: '/subscribe/confirmed', ready: true },
  unsubscribe: { path: '/unsubscribe/:token', ready: true },
  neverAsk: { path: '/never-ask/:token', ready: true },
} as const satisfies Record<string, { path: string; ready: boolean }>;

export type RouteName = keyof typeof routes;

/** Whether the screen exists yet. */
export const isReady = (name: RouteName): boolean => routes[name].ready;

export const listPath = (id: string) => `/lists/${encodeURIComponent(id)}`;
export const historyEntryPath = (id: string) => `/history/${encodeURIComponent(id)}`;
/** Names the send that a new one starts from. */
export const AGAIN = 'again';
/** Names the list that a new send is for. */
export const TO_LIST = 'list';
export const sendToListPath = (id: string) => `/send?${TO_LIST}=${encodeURIComponent(id)}`;
export const sendAgainPath = (id: string) => `/send?${AGAIN}=${encodeURIComponent(id)}`;
export const publicListPath = (slug: string) => `/subscribe/list/${encodeURIComponent(slug)}`;
export const checkEmailPath = (email: string) => `/check-email?email=${encodeURIComponent(email)}`;

/** The registration form, with a referral code where there is one. */
export const registerPath = (ref?: string) => (ref ? `/register?ref=${encodeURIComponent(ref)}` : '/register');

/** Where a payment leads; the address proves nothing, the screen asks. */
export const PAYMENT_RETURN = '/settings?payment=success';

/** Where a signed-out person goes first, and comes back from. */
export const loginPath = (next: string) => (next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`);

/** The place to go after signing in: only paths of our own, never another site. */
export function safeNext(next: string | null): string {
  if (!next || !next.startsWith('/')) return '/';
  try {
    const url = new URL(next, 'http://own.invalid');
    return url.origin === 'http://own.invalid' ? url.pathname + url.search + url.hash : '/';
  } catch {
    return '/';
  }
}
