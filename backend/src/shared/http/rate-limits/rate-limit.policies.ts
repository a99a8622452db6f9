/**
 * What a limit counts by: the client's network (`ip`), the signed-in user (`user`; the network if signed out), or a key
 * that the service chooses (`own`).
 */
export type LimitKey = 'ip' | 'user' | 'own';

export interface LimitPolicy {
  points: number;
  /** Period for which the limit holds, in seconds. */
  duration: number;
  by: LimitKey;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Limits of requests, counted over all instances. Invites are not limited here but by their table, because their limit
 * must survive a loss of Redis. A client is an IPv4 address or an IPv6 /64. All clients of an IPv6 /48 together get ten
 * times the limit.
 */
export const LIMITS = {
  /** Failed sign-ins per account and network. Each known device is counted separately. */
  'sign-in': { points: 10, duration: 15 * MINUTE, by: 'own' },
  /** Failed sign-ins per account from all unknown devices together. Each known device is counted separately. */
  'sign-in-account': { points: 100, duration: DAY, by: 'own' },
  /** All sign-ins from one network. */
  'sign-in-address': { points: 600, duration: MINUTE, by: 'ip' },
  /** Requests for reset links, and uses of them, from one network. */
  'password-reset': { points: 600, duration: HOUR, by: 'ip' },
  verify: { points: 600, duration: HOUR, by: 'ip' },
  /** Data exports of an account. */
  export: { points: 10, duration: HOUR, by: 'user' },
  upload: { points: 60, duration: HOUR, by: 'user' },
  picture: { points: 30, duration: HOUR, by: 'user' },
  register: { points: 100, duration: HOUR, by: 'ip' },
  /** Reset and verification mails per account. */
  'account-mail': { points: 3, duration: HOUR, by: 'own' },
  subscribe: { points: 100, duration: HOUR, by: 'ip' },
  /** Saves of drafts and templates; an open editor saves every 1.5 seconds at most. */
  save: { points: 60, duration: MINUTE, by: 'user' },
  /** Checks of an unsent email. */
  check: { points: 60, duration: MINUTE, by: 'user' },
  /** Readings of pasted requirements, and job posts made from them. */
  requirements: { points: 60, duration: MINUTE, by: 'user' },
  /** Added testers, each of whom may get an unrequested mail. */
  tester: { points: 20, duration: DAY, by: 'user' },
  contacts: { points: 600, duration: MINUTE, by: 'user' },
  /** Imported files and pasted texts. */
  imports: { points: 20, duration: HOUR, by: 'user' },
  /** Bulk changes of contacts. */
  bulk: { points: 60, duration: MINUTE, by: 'user' },
  /** Counts of a segment's members, which scan the account's contacts. */
  count: { points: 120, duration: MINUTE, by: 'user' },
  'create-subscription': { points: 10, duration: HOUR, by: 'user' },
  /** Invalid unsubscribe and confirmation tokens per network. */
  'wrong-token': { points: 100, duration: HOUR, by: 'own' },
  /** Undone unsubscribes per address. Unsubscribing itself is never limited. */
  undo: { points: 30, duration: HOUR, by: 'own' },
  /** Error reports of the web app. */
  'client-error': { points: 20, duration: HOUR, by: 'ip' },
  /** Reports that people send about a shared file. */
  'file-report': { points: 20, duration: HOUR, by: 'ip' },
  default: { points: 1200, duration: MINUTE, by: 'user' },
} as const satisfies Record<string, LimitPolicy>;

export type LimitName = keyof typeof LIMITS;
