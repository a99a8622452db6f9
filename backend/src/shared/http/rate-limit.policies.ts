/** What a limit counts by: the client's network, or the signed-in user (the network when signed out); `own`: what the service says that consumes it. */
export type LimitKey = 'ip' | 'user' | 'own';

export interface LimitPolicy {
  points: number;
  /** Seconds. */
  duration: number;
  by: LimitKey;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The request limits, counted over all instances. That of invites is counted in their table instead: it outlives Redis.
 * A client is an IPv4 address or an IPv6 /64; all clients of an IPv6 /48 together have ten times as many.
 */
export const LIMITS = {
  /** Failed sign-ins, by account and network; a known device counts apart. */
  'sign-in': { points: 10, duration: 15 * MINUTE, by: 'own' },
  /** Failed sign-ins of one account from all devices that it has not signed in on; each known device counts apart. */
  'sign-in-account': { points: 100, duration: DAY, by: 'own' },
  /** Sign-ins of any outcome from one network. */
  'sign-in-address': { points: 600, duration: MINUTE, by: 'ip' },
  /** Asking for a reset link and using one, from one network. */
  'password-reset': { points: 600, duration: HOUR, by: 'ip' },
  verify: { points: 600, duration: HOUR, by: 'ip' },
  /** Downloads of everything an account holds. */
  export: { points: 10, duration: HOUR, by: 'user' },
  picture: { points: 30, duration: HOUR, by: 'user' },
  register: { points: 100, duration: HOUR, by: 'ip' },
  /** Reset and verification mails, by account. */
  'account-mail': { points: 3, duration: HOUR, by: 'own' },
  subscribe: { points: 100, duration: HOUR, by: 'ip' },
  contacts: { points: 600, duration: MINUTE, by: 'user' },
  'create-subscription': { points: 10, duration: HOUR, by: 'user' },
  /** Wrong unsubscribe and confirm tokens, by network: consumed by the service when a token turns out wrong. */
  'wrong-token': { points: 100, duration: HOUR, by: 'own' },
  /** Taking an unsubscribe back, by mailed address; leaving is never limited. */
  undo: { points: 30, duration: HOUR, by: 'own' },
  /** Reports of broken screens. */
  'client-error': { points: 20, duration: HOUR, by: 'ip' },
  /** All else. */
  default: { points: 1200, duration: MINUTE, by: 'user' },
} as const satisfies Record<string, LimitPolicy>;

export type LimitName = keyof typeof LIMITS;
