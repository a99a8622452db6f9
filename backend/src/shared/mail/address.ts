import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { isEmail } from 'class-validator';

/** A mail address that may be mailed: as typed, normalised, and the hash that suppressions are kept by. */
export interface Address {
  /** As typed, with the domain as it goes on the wire. */
  address: string;
  /** Lower case, IDNA-encoded (decisions.md D15). */
  norm: string;
  hash: Buffer;
}

const MAX_LENGTH = 254;
const FORBIDDEN = /[\s"(),:;<>[\\\]\u0000-\u001f\u007f]/;

/** Most addresses: nothing in them needs a closer look, which costs as much as making a message. */
const PLAIN = /^[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/;
const PLAIN_LENGTH = 64;
/** Whether an address needs no closer look. */
export const isPlain = (raw: string): boolean => raw.length < PLAIN_LENGTH && PLAIN.test(raw);

/** SHA-256 of a normalised address. */
export function hashAddress(norm: string): Buffer {
  return createHash('sha256').update(norm).digest();
}

/** Reads one bare address; null for display names, several addresses, control characters, non-ASCII local parts (guide/email.md §3). */
export function parseAddress(raw: unknown): Address | null {
  const address = wireAddress(raw);
  if (!address) return null;
  const norm = address.toLowerCase();
  return { address, norm, hash: hashAddress(norm) };
}

/** What parseAddress gives as `address`, without the rest: an address as it goes on the wire. */
export function wireAddress(raw: unknown): string | null {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH * 2) return null;
  return isPlain(raw) ? raw : examinedAddress(raw);
}

/** The closer look: what wireAddress gives for any address, were none of them plain. */
export function examinedAddress(raw: string): string | null {
  const typed = raw.trim().normalize('NFC');
  const at = typed.lastIndexOf('@');
  if (at < 1 || FORBIDDEN.test(typed)) return null;
  const local = typed.slice(0, at);
  const domain = domainToASCII(typed.slice(at + 1).toLowerCase());
  const address = `${local}@${domain}`;
  if (!/^[\x21-\x7e]{1,64}$/.test(local) || !domain || address.length > MAX_LENGTH) return null;
  return isEmail(address, { allow_utf8_local_part: false, require_tld: domain !== 'localhost' }) ? address : null;
}
