import { createHmac, timingSafeEqual } from 'node:crypto';
import { type KeyPurpose, keyRing, type KeyRing, type KeySecrets } from '../../../shared/tokens/key-ring.js';

/** Key of releases without per-purpose keys: the secret itself. */
const secretItself = (secret: string): string => secret;

/** Signs small values of one kind with an HMAC, which proves that this product made them. */
export class SignedValues {
  private readonly keys: KeyRing;

  /** @param label prefix of every signed value */
  constructor(
    secrets: KeySecrets,
    purpose: KeyPurpose,
    private readonly label: string,
  ) {
    this.keys = keyRing(secrets, purpose, secretItself);
  }

  /** HMAC of a value in base64url. Its 256 bits have the form of a token. */
  digest(value: string): string {
    return this.digestBy(this.keys.current, value);
  }

  /** HMACs of a value by all accepted keys; that of the current key comes first. */
  digests(value: string): string[] {
    return this.keys.accepted.map((key) => this.digestBy(key, value));
  }

  /** Returns `value.hmac`. */
  sign(value: string): string {
    return `${value}.${this.digest(value)}`;
  }

  /**
   * Verifies a signed value.
   * @returns the value; undefined if no accepted key signed it
   */
  verify(signed: unknown): string | undefined {
    if (typeof signed !== 'string' || signed.length > 300) return undefined;
    const at = signed.lastIndexOf('.');
    if (at <= 0) return undefined;
    const value = signed.slice(0, at);
    const given = Buffer.from(signed.slice(at + 1));
    return this.digests(value).some((digest) => isEqual(given, Buffer.from(digest))) ? value : undefined;
  }

  private digestBy(key: Buffer, value: string): string {
    return createHmac('sha256', key).update(`${this.label}\n${value}`).digest('base64url');
  }
}

const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
