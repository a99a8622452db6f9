/** Hashes of one session's refresh tokens. */
export interface RefreshTokens {
  /** The token that was issued last. */
  current: string;
  /** The token that was exchanged for `current`. It stays valid until one of its successors is used. */
  previous: string | null;
  /** Earlier successors of `previous` that have not been used. Their answers may still arrive. */
  pending: readonly string[];
}

/** Outcome when a browser sends a refresh token. */
export type Rotation =
  /** A new token is issued. */
  | { kind: 'rotated'; tokens: RefreshTokens }
  /** A parallel request has just exchanged the same token, so no token is issued. */
  | { kind: 'parallel' }
  /** The token is outdated, so it may have been stolen. */
  | { kind: 'reused' };

/**
 * Maximum number of earlier, unused successors that stay valid. An answer that arrives after more retries than this
 * brings a token that counts as reused.
 */
const MAX_PENDING = 4;

/**
 * Decides what a refresh token leads to. The previous token stays valid until a successor is used, because the answer
 * with the successor may get lost. Each retry gets a successor of its own. If a thief and the owner both retry, they
 * hold different tokens, and the second of these to be used ends the session.
 * @param shown hash of the token that the browser sent
 * @param next hash of a new token, for the case that one is issued
 * @param isParallel whether the last exchange was so recent that its answer may still be on the way
 */
export function rotate(tokens: RefreshTokens, shown: string, next: string, isParallel: boolean): Rotation {
  const { current, previous, pending } = tokens;
  if (shown === current || pending.includes(shown))
    return { kind: 'rotated', tokens: { current: next, previous: shown, pending: [] } };
  if (shown !== previous) return { kind: 'reused' };
  if (isParallel) return { kind: 'parallel' };
  return { kind: 'rotated', tokens: { current: next, previous, pending: [current, ...pending].slice(0, MAX_PENDING) } };
}
