import { createHmac, timingSafeEqual } from 'node:crypto';
import { type KeyPurpose, keyRing, type KeyRing, type KeySecrets } from '../../shared/tokens/key-ring.js';

/** Versions before keyed by purpose used the secret itself. */
const secretItself = (secret: string): string => secret;

/** Keyed digests of small values of one kind: proof that this product made a value. */
export class SealedValues {
  private readonly keys: KeyRing;

  /** @param label stands in front of each digested value */
  constructor(secrets: KeySecrets, purpose: KeyPurpose, private readonly label: string) {
    this.keys = keyRing(secrets, purpose, secretItself);
  }

  /** 256 bits, base64url: shaped like a token. */
  digest(value: string): string {
    return this.digestBy(this.keys.current, value);
  }

  /** The digest by each accepted key, the current one's first. */
  digests(value: string): string[] {
    return this.keys.accepted.map((key) => this.digestBy(key, value));
  }

  /** `value.digest`. */
  seal(value: string): string {
    return `${value}.${this.digest(value)}`;
  }

  /** The value, if the digest is by one of the accepted keys. */
  open(sealed: unknown): string | undefined {
    if (typeof sealed !== 'string' || sealed.length > 300) return undefined;
    const at = sealed.lastIndexOf('.');
    if (at <= 0) return undefined;
    const value = sealed.slice(0, at);
    const given = Buffer.from(sealed.slice(at + 1));
    return this.digests(value).some((digest) => isEqual(given, Buffer.from(digest))) ? value : undefined;
  }

  private digestBy(key: Buffer, value: string): string {
    return createHmac('sha256', key).update(`${this.label}\n${value}`).digest('base64url');
  }
}

const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
