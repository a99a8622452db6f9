import type { ComponentType } from 'react';
import { matchPath } from 'react-router-dom';
import { routes, type RouteName } from '../lib/routes';

type Load = () => Promise<{ default: ComponentType }>;

/** The code of each screen, a chunk of its own. */
export const screens: Record<RouteName, Load> = {
  home: () => import('./routes/signed-in/dashboard'),
  dashboard: () => import('./routes/signed-in/dashboard'),
  send: () => import('./routes/signed-in/send'),
  lists: () => import('./routes/signed-in/lists'),
  list: () => import('./routes/signed-in/list'),
  history: () => import('./routes/signed-in/history'),
  historyEntry: () => import('./routes/signed-in/history-entry'),
  referrals: () => import('./routes/signed-in/referrals'),
  upgrade: () => import('./routes/signed-in/upgrade'),
  settings: () => import('./routes/signed-in/settings'),
  admin: () => import('./routes/signed-in/admin'),
  operations: () => import('./routes/signed-in/operations'),
  login: () => import('./routes/public/login'),
  register: () => import('./routes/public/register'),
  forgotPassword: () => import('./routes/public/forgot-password'),
  resetPassword: () => import('./routes/public/reset-password'),
  checkEmail: () => import('./routes/public/check-email'),
  verifyEmail: () => import('./routes/public/verify-email'),
  notMe: () => import('./routes/public/not-me'),
  invite: () => import('./routes/public/invite'),
  noInvites: () => import('./routes/public/no-invites'),
  subscribeList: () => import('./routes/public/subscribe-list'),
  subscribePending: () => import('./routes/public/subscribe-pending'),
  subscribeConfirmed: () => import('./routes/public/subscribe-confirmed'),
  unsubscribe: () => import('./routes/public/unsubscribe'),
  neverAsk: () => import('./routes/public/never-ask'),
};

/** The screens a person goes to from anywhere, the likeliest first. */
const LIKELY: readonly RouteName[] = ['lists', 'list', 'send', 'history', 'historyEntry', 'dashboard', 'settings'];

const fetched = new Set<RouteName>();

/** Fetches a screen's code before it is opened; a failure is left to the opening. */
export function prefetchScreen(name: RouteName): Promise<unknown> {
  if (fetched.has(name)) return Promise.resolve();
  fetched.add(name);
  return screens[name]().catch(() => fetched.delete(name));
}

/** The screen that a link of ours leads to. */
function screenOf(target: EventTarget | null): RouteName | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.hasAttribute('download')) return undefined;
  return (Object.keys(routes) as RouteName[]).find((name) => matchPath(routes[name].path, link.pathname));
}

/** Fetches what a link leads to as soon as it is pointed at or focused. */
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

/** Fetches the likely screens one by one while the browser has nothing else to do; not where data is to be saved. */
export function prefetchWhenIdle(): () => void {
  if (typeof requestIdleCallback === 'undefined' || savesData()) return () => undefined;
  let handle = 0;
  const next = (index: number) => {
    const name = LIKELY[index];
    if (name) handle = requestIdleCallback(() => void prefetchScreen(name).then(() => next(index + 1)));
  };
  next(0);
  return () => cancelIdleCallback(handle);
}
