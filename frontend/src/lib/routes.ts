/** The path of every screen. app/screens.tsx names its code. */
export const routes = {
  home: { path: '/' },
  login: { path: '/login' },
  register: { path: '/register' },
  forgotPassword: { path: '/forgot-password' },
  resetPassword: { path: '/reset-password' },
  checkEmail: { path: '/check-email' },
  verifyEmail: { path: '/verify-email' },
  notMe: { path: '/not-me' },
  invite: { path: '/invite/:code?' },
  noInvites: { path: '/no-invites' },
  dashboard: { path: '/dashboard' },
  send: { path: '/send' },
  sendDraft: { path: '/send/:draftId' },
  library: { path: '/library' },
  libraryTemplate: { path: '/library/templates/:templateId' },
  lists: { path: '/lists' },
  list: { path: '/lists/:listId' },
  contacts: { path: '/contacts' },
  doNotSend: { path: '/contacts/do-not-send' },
  companies: { path: '/contacts/companies' },
  contactImport: { path: '/contacts/import' },
  contactImportRun: { path: '/contacts/import/:importId' },
  segments: { path: '/contacts/segments' },
  segment: { path: '/contacts/segments/:segmentId' },
  contactProfile: { path: '/contacts/:profileId' },
  history: { path: '/history' },
  historyEntry: { path: '/history/:entryId' },
  notifications: { path: '/notifications' },
  scheduled: { path: '/scheduled' },
  referrals: { path: '/referrals' },
  settings: { path: '/settings' },
  admin: { path: '/admin' },
  operations: { path: '/admin/operations' },
  upgrade: { path: '/subscribe' },
  subscribeList: { path: '/subscribe/list/:slug' },
  subscribePending: { path: '/subscribe/pending' },
  subscribeConfirmed: { path: '/subscribe/confirmed' },
  unsubscribe: { path: '/unsubscribe/:token' },
  neverAsk: { path: '/never-ask/:token' },
  mailSettings: { path: '/mail-settings/:token' },
  testerConfirm: { path: '/testers/confirm' },
  sharedFile: { path: '/files/:token' },
} as const satisfies Record<string, { path: string }>;

export type RouteName = keyof typeof routes;

export const listPath = (id: string) => `/lists/${encodeURIComponent(id)}`;
export const historyEntryPath = (id: string) => `/history/${encodeURIComponent(id)}`;
/** The history of a range of days, such as from 2025-01-05; either end may be open. */
export const historyPath = ({ from, to }: { from?: string; to?: string }) =>
  `/history?${new URLSearchParams({ ...(from && { from }), ...(to && { to }) }).toString()}`;
/** A list with its contacts of one status. */
export const contactsOfStatusPath = (listId: string, status: 'confirmed' | 'pending' | 'unsubscribed') =>
  `${listPath(listId)}?status=${status}`;
/** A list with its contacts searched for an address. */
export const contactPath = (listId: string, email: string, status?: 'unsubscribed') =>
  `${listPath(listId)}?q=${encodeURIComponent(email)}${status ? `&status=${status}` : ''}`;
/** One person, whatever lists the address is on. */
export const contactProfilePath = (id: string) => `/contacts/${encodeURIComponent(id)}`;
/** The contacts of one company. */
export const contactsOfCompanyPath = (domain: string) => `/contacts?domain=${encodeURIComponent(domain)}`;
/** The contacts whose address contains a text. */
export const contactsFoundPath = (text: string) => `/contacts?q=${encodeURIComponent(text)}`;
/** The start of an import, with a list preselected if one is given. */
export const importPath = (listId?: string) =>
  listId ? `${routes.contactImport.path}?list=${encodeURIComponent(listId)}` : routes.contactImport.path;
/** One import: its columns, its check and its result. `listId` is the list that its people are to be put on. */
export const importRunPath = (id: string, listId?: string) =>
  `/contacts/import/${encodeURIComponent(id)}${listId ? `?list=${encodeURIComponent(listId)}` : ''}`;
/** The contacts that an import added. */
export const importedContactsPath = (importId: string) => `/contacts?import=${encodeURIComponent(importId)}`;
/** A segment's rules; 'new' is one that is not saved yet. */
/** Stands for the id in the URL of a segment that is not saved yet. */
export const NEW_SEGMENT = 'new';
export const segmentPath = (id: string) => `/contacts/segments/${encodeURIComponent(id)}`;
/** The contacts that a segment finds. */
export const contactsOfSegmentPath = (id: string) => `/contacts?segment=${encodeURIComponent(id)}`;
/** The lists with the dialog that creates one open. */
export const NEW_LIST_PATH = '/lists?new=list';
/** Parameter with the list that a new send is for. */
export const LIST_PARAM = 'list';
export const sendToListPath = (id: string) => `/send?${LIST_PARAM}=${encodeURIComponent(id)}`;
/** Parameter with the segment that a new send is for. */
export const SEGMENT_PARAM = 'segment';
export const sendToSegmentPath = (id: string) => `/send?${SEGMENT_PARAM}=${encodeURIComponent(id)}`;
/** Parameter with the scheduled email that the wizard changes. */
export const SCHEDULED_PARAM = 'scheduled';
export const editScheduledPath = (id: string) => `/send?${SCHEDULED_PARAM}=${encodeURIComponent(id)}`;
export const sendDraftPath = (id: string) => `/send/${encodeURIComponent(id)}`;
export const libraryTemplatePath = (id: string) => `/library/templates/${encodeURIComponent(id)}`;
export const publicListPath = (slug: string) => `/subscribe/list/${encodeURIComponent(slug)}`;
export const checkEmailPath = (email: string) => `/check-email?email=${encodeURIComponent(email)}`;

/** The sections of the settings in their order; `id` is the URL's hash. */
export const SETTINGS_SECTIONS = [
  { id: 'profile', title: 'Profile' },
  { id: 'sender', title: 'Sender profile' },
  { id: 'look', title: 'Look of your emails' },
  { id: 'role', title: 'Role' },
  { id: 'plan', title: 'Usage & Subscription' },
  { id: 'fields', title: 'Contact fields' },
  { id: 'notifications', title: 'Notifications' },
  { id: 'notification-tests', title: 'Notification tests' },
  { id: 'devices', title: 'Devices' },
  { id: 'password', title: 'Password' },
  { id: 'security', title: 'Security events' },
  { id: 'data', title: 'Your data' },
  { id: 'delete', title: 'Delete account' },
] as const;
export type SettingsSectionId = (typeof SETTINGS_SECTIONS)[number]['id'];
export const settingsPath = (section: SettingsSectionId) => `/settings#${section}`;

/** The registration form, with a referral code if there is one. */
export const registerPath = (ref?: string) => (ref ? `/register?ref=${encodeURIComponent(ref)}` : '/register');

/** The URL after a payment. It does not prove a payment, so the screen asks the server. */
export const PAYMENT_RETURN_PATH = '/settings?payment=success';

/** The login page, which leads back to `next`. */
export const loginPath = (next: string) => (next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`);

/** The path to open after signing in. Only a path of this site is accepted. */
export function safeNext(next: string | null): string {
  if (!next || !next.startsWith('/')) return '/';
  try {
    const url = new URL(next, 'http://own.invalid');
    // '/.//host' is parsed to '//host', which a browser would open as another site.
    return url.origin === 'http://own.invalid' && !url.pathname.startsWith('//')
      ? url.pathname + url.search + url.hash
      : '/';
  } catch {
    return '/';
  }
}

/**
 * The parameters of a path, by a route's pattern ('/lists/:listId', '/invite/:code?').
 * @returns null if the pattern does not match the path
 */
export function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const wanted = pattern.split('/').filter(Boolean);
  const given = pathname.split('/').filter(Boolean);
  if (given.length > wanted.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index];
    const name = /^:(\w+)\??$/.exec(part)?.[1];
    if (value === undefined) {
      if (part.endsWith('?')) continue;
      return null;
    }
    if (name) params[name] = decoded(value);
    else if (part.toLowerCase() !== value.toLowerCase()) return null;
  }
  return params;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
