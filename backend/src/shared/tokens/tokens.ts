import { createHash, randomBytes } from 'node:crypto';

const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** A new secret of 256 bits, base64url (decisions.md D7). */
export function mintToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token: SHA-256, hex. A token has 256 random bits, so no salt is needed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether a value can be a token at all; anything else is answered as an unknown one. */
export function isTokenShaped(value: unknown): value is string {
  return typeof value === 'string' && TOKEN_SHAPE.test(value);
}
