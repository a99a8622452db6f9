/**
 * Key of a limit: the client's network, the signed-in user (the network when signed out), or `own`: a key chosen by the
 * service.
 */
export type LimitKey = 'ip' | 'user' | 'own';

export interface LimitPolicy {
  points: number;
  /** In seconds. */
  duration: number;
  by: LimitKey;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Request limits, counted over all instances. Invites are limited by their table instead, because that limit must
 * survive a loss of Redis. A client is an IPv4 address or an IPv6 /64; the clients of an IPv6 /48 together get ten
 * times the limit.
 */
export const LIMITS = {
  /** Failed sign-ins per account and network; known devices are counted separately. */
  'sign-in': { points: 10, duration: 15 * MINUTE, by: 'own' },
  /** Failed sign-ins per account from all unknown devices; each known device is counted separately. */
  'sign-in-account': { points: 100, duration: DAY, by: 'own' },
  /** All sign-ins from one network. */
  'sign-in-address': { points: 600, duration: MINUTE, by: 'ip' },
  /** Requests for and uses of a reset link from one network. */
  'password-reset': { points: 600, duration: HOUR, by: 'ip' },
  verify: { points: 600, duration: HOUR, by: 'ip' },
  /** Downloads of the account's data. */
  export: { points: 10, duration: HOUR, by: 'user' },
  upload: { points: 60, duration: HOUR, by: 'user' },
  picture: { points: 30, duration: HOUR, by: 'user' },
  register: { points: 100, duration: HOUR, by: 'ip' },
  /** Reset and verification mails per account. */
  'account-mail': { points: 3, duration: HOUR, by: 'own' },
  subscribe: { points: 100, duration: HOUR, by: 'ip' },
  /** Saves of drafts and templates; an open editor saves every 1.5 seconds at most. */
  save: { points: 60, duration: MINUTE, by: 'user' },
  /** Checks before a send. */
  check: { points: 60, duration: MINUTE, by: 'user' },
  /** Pasted requirements read, and posts made of them. */
  requirements: { points: 60, duration: MINUTE, by: 'user' },
  /** Testers added; each may get a mail that it did not ask for. */
  tester: { points: 20, duration: DAY, by: 'user' },
  contacts: { points: 600, duration: MINUTE, by: 'user' },
  /** Files and pasted texts to import. */
  imports: { points: 20, duration: HOUR, by: 'user' },
  /** Changes of many contacts. */
  bulk: { points: 60, duration: MINUTE, by: 'user' },
  /** Counts of segments, which scan an account's contacts. */
  count: { points: 120, duration: MINUTE, by: 'user' },
  'create-subscription': { points: 10, duration: HOUR, by: 'user' },
  /** Invalid unsubscribe and confirmation tokens per network; consumed by the service. */
  'wrong-token': { points: 100, duration: HOUR, by: 'own' },
  /** Undone unsubscribes per mailed address; unsubscribing itself is never limited. */
  undo: { points: 30, duration: HOUR, by: 'own' },
  /** Error reports of the web app. */
  'client-error': { points: 20, duration: HOUR, by: 'ip' },
  /** Reports of shared files by their readers. */
  'file-report': { points: 20, duration: HOUR, by: 'ip' },
  default: { points: 1200, duration: MINUTE, by: 'user' },
} as const satisfies Record<string, LimitPolicy>;

export type LimitName = keyof typeof LIMITS;
