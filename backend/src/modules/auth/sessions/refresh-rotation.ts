/** Hashes of one session's refresh tokens. */
export interface RefreshTokens {
  /** The newest issued token. */
  current: string;
  /** The token that was exchanged for `current`; valid until one of its successors is used. */
  previous: string | null;
  /** Unused earlier successors of `previous`, whose answers may still arrive. */
  pending: readonly string[];
}

/** Result of presenting a refresh token. */
export type Rotation =
  /** A new token is issued. */
  | { kind: 'rotated'; tokens: RefreshTokens }
  /** A parallel request has just exchanged the same token; no token is issued. */
  | { kind: 'parallel' }
  /** An outdated token was presented: it may have been stolen. */
  | { kind: 'reused' };

/** Maximum number of unused successors kept; that many lost answers in a row are tolerated. */
const MAX_PENDING = 4;

/**
 * Decides what a presented refresh token leads to. The previous token stays valid until a successor was used, because
 * the answer with the successor may be lost. Each retry gets a successor of its own, so that a thief and the owner hold
 * different tokens, and the second one to use theirs ends the session.
 * @param shown hash of the presented token
 * @param next hash of a new token, used where one is issued
 * @param isParallel whether the last exchange is so recent that its answer may still be on the way
 */
export function rotate(tokens: RefreshTokens, shown: string, next: string, isParallel: boolean): Rotation {
  const { current, previous, pending } = tokens;
  if (shown === current || pending.includes(shown))
    return { kind: 'rotated', tokens: { current: next, previous: shown, pending: [] } };
  if (shown !== previous) return { kind: 'reused' };
  if (isParallel) return { kind: 'parallel' };
  return { kind: 'rotated', tokens: { current: next, previous, pending: [current, ...pending].slice(0, MAX_PENDING) } };
}
