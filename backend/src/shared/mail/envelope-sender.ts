import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyRing, type KeyRing, type KeySecrets } from '../tokens/key-ring.js';
import { localPartOf } from './address.js';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const SHAPE = /^([bs])-([a-z2-7]{26})-([a-z2-7]{10})$/;

/** `b` for a bulk delivery, `s` for a system mail. */
export type MailKind = 'b' | 's';

export interface KnownMail {
  kind: MailKind;
  id: string;
}

/** Key that signed bounce addresses before there were derived keys. Bounces of such mail still arrive for weeks. */
const legacyKey = (secret: string): string => `bounce:${secret}`;

/**
 * Creates and reads envelope senders (VERP). Each one names a message and is signed, so that nobody else can forge it.
 */
export class EnvelopeSenders {
  private readonly keys: KeyRing;

  constructor(secrets: KeySecrets) {
    this.keys = keyRing(secrets, 'bounce-address', legacyKey);
  }

  /** @param id uuid of the mail */
  of(kind: MailKind, id: string, domain: string): string {
    const encoded = base32(Buffer.from(id.replaceAll('-', ''), 'hex'));
    return `${kind}-${encoded}-${signature(kind, encoded, this.keys.current)}@${domain}`;
  }

  /**
   * Returns the mail that an envelope sender names. Ignores case, because mail servers may change it.
   * @returns null for any other address, and if the signature is not valid
   */
  read(address: string): KnownMail | null {
    const [, kind, encoded, given] = SHAPE.exec(localPartOf(address).toLowerCase()) ?? [];
    if (!kind || !encoded || !given) return null;
    const isBy = (key: Buffer) =>
      timingSafeEqual(Buffer.from(given), Buffer.from(signature(kind as MailKind, encoded, key)));
    if (!this.keys.accepted.some(isBy)) return null;
    const hex = unbase32(encoded).toString('hex');
    return { kind: kind as MailKind, id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
  }
}

const signature = (kind: MailKind, encoded: string, key: Buffer): string =>
  base32(createHmac('sha256', key).update(`${kind}-${encoded}`).digest().subarray(0, 7)).slice(0, 10);

function base32(bytes: Buffer): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31]! : text;
}

function unbase32(text: string): Buffer {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const char of text) {
    held = ((held << 5) | ALPHABET.indexOf(char)) & 0xfff;
    bits += 5;
    if (bits >= 8) bytes.push((held >> (bits -= 8)) & 255);
  }
  return Buffer.from(bytes);
}
