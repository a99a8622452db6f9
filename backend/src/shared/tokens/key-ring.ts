import { hkdfSync } from 'node:crypto';

/** What a key is for. A key of one purpose opens nothing that was made for another. The names are part of the derivation: never change one. */
export type KeyPurpose = 'access-token' | 'refresh-cookie' | 'device-cookie' | 'disown-link' | 'bounce-address' | 'system-mail' | 'audit-pseudonym';

/** Where keys come from: the secret in use and, while it is being replaced, the other one. */
export interface KeySecrets {
  readonly jwtSecret: string;
  readonly jwtSecretPrevious?: string;
}

const KEY_BYTES = 32;

/** The keys of one purpose: `current` makes values, `accepted` (current first) opens them. */
export interface KeyRing {
  readonly current: Buffer;
  readonly accepted: readonly Buffer[];
}

/**
 * Derives the keys of one purpose from the secrets (HKDF-SHA-256), so that a key that leaks opens one thing only, and a value
 * made under the previous secret stays good while JWT_SECRET_PREVIOUS names it.
 * @param legacy the key that versions without derived keys used; values they made are still accepted, none is made with it
 */
export function keyRing({ jwtSecret, jwtSecretPrevious }: KeySecrets, purpose: KeyPurpose, legacy?: (secret: string) => string): KeyRing {
  const secrets = [jwtSecret, jwtSecretPrevious].filter((secret) => secret !== undefined);
  const derived = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', `staffcast/${purpose}`, KEY_BYTES)));
  const older = legacy ? secrets.map((secret) => Buffer.from(legacy(secret), 'utf8')) : [];
  return { current: derived[0]!, accepted: [...derived, ...older] };
}
