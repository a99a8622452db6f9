import { createHmac, timingSafeEqual } from 'node:crypto';

/** Keyed digests of small values: what we gave out and nobody else can make. */
export class SealedValues {
  constructor(private readonly secret: string) {}

  /** 256 bits, base64url: shaped like a token. */
  digest(purpose: string, value: string): string {
    return createHmac('sha256', this.secret).update(`${purpose}\n${value}`).digest('base64url');
  }

  /** `value.digest`. */
  seal(purpose: string, value: string): string {
    return `${value}.${this.digest(purpose, value)}`;
  }

  /** The value, if the seal is ours. */
  open(purpose: string, sealed: unknown): string | undefined {
    if (typeof sealed !== 'string' || sealed.length > 300) return undefined;
    const at = sealed.lastIndexOf('.');
    const value = sealed.slice(0, at);
    const [given, expected] = [Buffer.from(sealed.slice(at + 1)), Buffer.from(this.digest(purpose, value))];
    return at > 0 && given.length === expected.length && timingSafeEqual(given, expected) ? value : undefined;
  }
}
