import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { keyRing, type KeyRing, type KeySecrets } from '../../shared/tokens/key-ring.js';

/** The keys of access tokens; those that older versions signed with the secret itself run out after 15 minutes. */
export const accessKeys = (secrets: KeySecrets): KeyRing => keyRing(secrets, 'access-token', (secret) => secret);

/**
 * Picks the accepted key that signed a token; the current one where none did, which the verification then refuses.
 * Key objects, not bytes: of bytes the library tries on every request whether they are a public key in PEM.
 */
export function signingKeyOf({ accepted }: KeyRing): (token: string) => Buffer {
  const keys = accepted.map((key) => createSecretKey(key));
  return (token) => {
    const at = token.lastIndexOf('.');
    const isBy = (key: KeyObject) => createHmac('sha256', key).update(token.slice(0, at)).digest('base64url') === token.slice(at + 1);
    return (keys.find(isBy) ?? keys[0]!) as unknown as Buffer;
  };
}
