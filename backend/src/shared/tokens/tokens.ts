import { createHash, randomBytes } from 'node:crypto';

const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** A new 256-bit secret, base64url. */
export function mintToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a token: SHA-256 in hex. It needs no salt, because tokens are random. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whether a value has the form of a token. Callers treat other values as unknown tokens. */
export function isTokenShaped(value: unknown): value is string {
  return typeof value === 'string' && TOKEN_SHAPE.test(value);
}
