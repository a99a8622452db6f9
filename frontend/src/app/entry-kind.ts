/**
 * What the page at a URL needs first: 'mailed' pages need least, 'account' pages also the store, 'application' also the
 * router.
 */
export type EntryKind = 'landing' | 'mailed' | 'account' | 'application';

/** Pages opened from a mail or by a visitor, mostly on a phone. */
const MAILED_LINK_PATHS =
  /^\/(unsubscribe|never-ask|mail-settings|no-invites|not-me|verify-email|testers\/confirm|files|subscribe\/(list|pending|confirmed))(\/|$)/i;
/** Pages for signing in and registering. */
const ACCOUNT_PATHS = /^\/(login|register|invite|forgot-password|reset-password|check-email)(\/|$)/i;

/** The kind of page at a path. */
export function entryKind(pathname: string): EntryKind {
  if (pathname === '/') return 'landing';
  if (MAILED_LINK_PATHS.test(pathname)) return 'mailed';
  return ACCOUNT_PATHS.test(pathname) ? 'account' : 'application';
}
