import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from '../../tokens/key-ring.js';

/** Encrypts pending mails with AES-256-GCM, because they contain links that give access to accounts. */
export class Encryptor {
  constructor(private readonly keys: KeyRing) {}

  encrypt(value: unknown): Buffer {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.keys.current, iv);
    const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  /** @throws if no accepted key decrypts the bytes, or if they were changed */
  decrypt<T>(encrypted: Uint8Array): T {
    const bytes = Buffer.from(encrypted);
    for (const key of this.keys.accepted) {
      const text = decrypted(key, bytes);
      if (text !== undefined) return JSON.parse(text) as T;
    }
    throw new Error('This mail was encrypted under a secret that is neither JWT_SECRET nor JWT_SECRET_PREVIOUS');
  }
}

function decrypted(key: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  try {
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
