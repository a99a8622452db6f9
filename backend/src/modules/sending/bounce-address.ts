import { createHmac, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const SHAPE = /^b-([a-z2-7]{26})-([a-z2-7]{10})$/;

/** The envelope sender of one message (guide/email.md §2): tells later which delivery a bounce speaks of, and that we made it. */
export function bounceAddress(deliveryId: string, domain: string, secret: string): string {
  const id = base32(Buffer.from(deliveryId.replaceAll('-', ''), 'hex'));
  return `b-${id}-${signature(id, secret)}@${domain}`;
}

/** The delivery that a bounce address names; null where we did not make it. */
export function readBounceAddress(address: string, secret: string): string | null {
  const [, id, given] = SHAPE.exec(address.slice(0, address.lastIndexOf('@')).toLowerCase()) ?? [];
  if (!id || !given || !timingSafeEqual(Buffer.from(given), Buffer.from(signature(id, secret)))) return null;
  const hex = unbase32(id).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const signature = (id: string, secret: string): string => base32(createHmac('sha256', `bounce:${secret}`).update(id).digest()).slice(0, 10);

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((part) => ALPHABET[Number.parseInt(part.padEnd(5, '0'), 2)]).join('');
}

function unbase32(text: string): Buffer {
  const bits = [...text].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
