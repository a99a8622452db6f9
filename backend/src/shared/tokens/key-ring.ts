import { hkdfSync } from 'node:crypto';

/**
 * What a key is used for. A key cannot open values that were made for another purpose. The keys are derived from these
 * names, so never change a name.
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

/** Secrets that the keys are derived from: the current one and, during a rotation, the previous one. */
export interface KeySecrets {
  readonly jwtSecret: string;
  readonly jwtSecretPrevious?: string;
}

const KEY_BYTES = 32;

/** Keys for one purpose. `current` makes new values; each of `accepted` (current first) can open values. */
export interface KeyRing {
  readonly current: Buffer;
  readonly accepted: readonly Buffer[];
}

/**
 * Derives the keys for one purpose (HKDF-SHA-256), so that a leaked key affects only this purpose. Values made with
 * JWT_SECRET_PREVIOUS stay valid.
 * @param legacy key of versions without derived keys; it opens values but never makes new ones
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
