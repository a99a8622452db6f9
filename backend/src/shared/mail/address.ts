import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { isEmail } from 'class-validator';

/** A valid mail address: as typed, normalised, and hashed for suppressions. */
export interface Address {
  /** The address as typed, with its domain in ASCII (IDNA). */
  address: string;
  /** The address in lower case, with its domain in ASCII (IDNA). Contacts are unique by it. */
  norm: string;
  hash: Buffer;
}

const MAX_LENGTH = 254;
const FORBIDDEN = /[\s"(),:;<>[\\\]\u0000-\u001f\u007f]/;

/**
 * Plain addresses, which need no full parsing. Most addresses are plain, and full parsing takes as long as composing a
 * message.
 */
const PLAIN = /^[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/;
const PLAIN_LENGTH = 64;
/** Whether an address needs no full parsing. */
export const isPlain = (raw: string): boolean => raw.length < PLAIN_LENGTH && PLAIN.test(raw);

/** SHA-256 of a normalised address. */
export function hashAddress(norm: string): Buffer {
  return createHash('sha256').update(norm).digest();
}

/**
 * Parses one bare address.
 * @returns null for display names, several addresses, control characters and non-ASCII local parts
 */
export function parseAddress(raw: unknown): Address | null {
  const address = wireAddress(raw);
  if (!address) return null;
  const norm = address.toLowerCase();
  return { address, norm, hash: hashAddress(norm) };
}

/** Returns only the `address` of parseAddress: the address as typed, with its domain in ASCII. */
export function wireAddress(raw: unknown): string | null {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH * 2) return null;
  return isPlain(raw) ? raw : examinedAddress(raw);
}

/** Parses any address for wireAddress. For plain addresses, it gives the same result as the fast path. */
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

/** The host of an address: the part after the last @. */
export const hostOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The local part of an address: the part before the last @. */
export const localPartOf = (address: string): string => address.slice(0, address.lastIndexOf('@'));

const IGNORES_DOTS = new Set(['gmail.com', 'googlemail.com']);

/** The mailbox of a normalised address: the address without its +tag, and without dots if the provider ignores them. */
export function mailboxOf(norm: string): string {
  const [local, domain] = [localPartOf(norm).split('+')[0]!, hostOf(norm)];
  return IGNORES_DOTS.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}

/** Whether two addresses reach the same mailbox. Used to keep people from referring or inviting their own aliases. */
export const isSameMailbox = (a: string, b: string): boolean => mailboxOf(a) === mailboxOf(b);

/**
 * SHA-256 of the mailbox of a normalised address. `users.mailbox_hash` stores it; the SQL function is
 * `mailbox_hash(norm)`.
 */
export const hashMailbox = (norm: string): Buffer => hashAddress(mailboxOf(norm));
