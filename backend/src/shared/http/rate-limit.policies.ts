/** What a limit counts by: the account, the client's address, or the signed-in user (the address when signed out). */
export type LimitKey = 'ip' | 'user' | 'own';

export interface LimitPolicy {
  points: number;
  /** Seconds. */
  duration: number;
  /** `own`: the service that consumes it names the key. */
  by: LimitKey;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The request limits of contract.md, counted over all instances. That of invites is counted in their table instead: it outlives Redis. */
export const LIMITS = {
  /** Failed sign-ins, by account and address; a known device counts apart. */
  'sign-in': { points: 10, duration: 15 * MINUTE, by: 'own' },
  /** Sign-ins of any outcome from one address: a flood of them waits for nobody else's. */
  'sign-in-address': { points: 600, duration: MINUTE, by: 'ip' },
  /** Asking for a reset link and using one, from one address. */
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
  /** Wrong unsubscribe and confirm tokens, by address: consumed by the service when a token turns out wrong. */
  'wrong-token': { points: 100, duration: HOUR, by: 'own' },
  /** All else. */
  default: { points: 1200, duration: MINUTE, by: 'user' },
} as const satisfies Record<string, LimitPolicy>;

export type LimitName = keyof typeof LIMITS;
