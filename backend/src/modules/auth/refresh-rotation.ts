/** The refresh tokens of one session, as hashes. */
export interface RefreshTokens {
  /** The newest one handed out. */
  current: string;
  /** The one that was exchanged for `current`; accepted until one of its successors is used. */
  previous: string | null;
  /** Earlier successors of `previous` that nobody has used yet: their answers may still arrive. */
  pending: readonly string[];
}

/** What becomes of a session whose refresh token was shown. */
export type Rotation =
  /** A new token is handed out. */
  | { kind: 'rotated'; tokens: RefreshTokens }
  /** Another request exchanged the same token a moment ago and carries the new one: none is handed out. */
  | { kind: 'parallel' }
  /** An older token came back: somebody has a copy. */
  | { kind: 'reused' };

/** Successors that are kept beside the newest; more answers than this are never lost in a row and then found. */
const MAX_PENDING = 4;

/**
 * Decides what a shown token leads to. The previous token stays good until a successor has been used once, because the answer that
 * carried the successor may be lost; each such retry is given a successor of its own, so that a thief and the owner end up with
 * different ones and the second of them to use theirs ends the session.
 * @param shown hash of the token that was shown
 * @param next hash of a new token, used where one is handed out
 * @param isParallel whether the last exchange was so recent that its answer may still be on its way
 */
export function rotate(tokens: RefreshTokens, shown: string, next: string, isParallel: boolean): Rotation {
  const { current, previous, pending } = tokens;
  if (shown === current || pending.includes(shown)) return { kind: 'rotated', tokens: { current: next, previous: shown, pending: [] } };
  if (shown !== previous) return { kind: 'reused' };
  if (isParallel) return { kind: 'parallel' };
  return { kind: 'rotated', tokens: { current: next, previous, pending: [current, ...pending].slice(0, MAX_PENDING) } };
}
