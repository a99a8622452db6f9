import { hkdfSync } from 'node:crypto';

/**
 * Purpose of a key. A key of one purpose opens no value of another. The names enter the derivation: never change one.
 */
export type KeyPurpose =
  | 'access-token'
  | 'refresh-cookie'
  | 'device-cookie'
  | 'disown-link'
  | 'bounce-address'
  | 'system-mail'
  | 'test-mail'
  | 'audit-pseudonym'
  | 'notification-link';

/** Master secrets: the current one and, during a rotation, the previous one. */
export interface KeySecrets {
  readonly jwtSecret: string;
  readonly jwtSecretPrevious?: string;
}

const KEY_BYTES = 32;

/** Keys of one purpose: `current` makes values, `accepted` (current first) opens them. */
export interface KeyRing {
  readonly current: Buffer;
  readonly accepted: readonly Buffer[];
}

/**
 * Derives the keys of one purpose (HKDF-SHA-256), so that a leaked key exposes one purpose only. Values made with
 * JWT_SECRET_PREVIOUS stay valid.
 * @param legacy key of versions before derived keys; accepted, never used for new values
 */
export function keyRing(
  { jwtSecret, jwtSecretPrevious }: KeySecrets,
  purpose: KeyPurpose,
  legacy?: (secret: string) => string,
): KeyRing {
  const secrets = [jwtSecret, jwtSecretPrevious].filter((secret) => secret !== undefined);
  const derived = secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', `staffcast/${purpose}`, KEY_BYTES)),
  );
  const older = legacy ? secrets.map((secret) => Buffer.from(legacy(secret), 'utf8')) : [];
  return { current: derived[0]!, accepted: [...derived, ...older] };
}
