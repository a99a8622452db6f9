import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { isEmail } from 'class-validator';

/** A valid mail address: as typed, normalised, and hashed for suppressions. */
export interface Address {
  /** As typed, with the domain in its wire form. */
  address: string;
  /** Lower case with an IDNA-encoded domain; contacts are unique by it. */
  norm: string;
  hash: Buffer;
}

const MAX_LENGTH = 254;
const FORBIDDEN = /[\s"(),:;<>[\\\]\u0000-\u001f\u007f]/;

/** Fast path for plain addresses, which are most; full parsing costs as much as composing a message. */
const PLAIN = /^[a-z0-9]+(?:[._+-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/;
const PLAIN_LENGTH = 64;
/** Whether an address takes the fast path. */
export const isPlain = (raw: string): boolean => raw.length < PLAIN_LENGTH && PLAIN.test(raw);

/** SHA-256 of a normalised address. */
export function hashAddress(norm: string): Buffer {
  return createHash('sha256').update(norm).digest();
}

/** Parses one bare address; null for display names, several addresses, control characters and non-ASCII local parts. */
export function parseAddress(raw: unknown): Address | null {
  const address = wireAddress(raw);
  if (!address) return null;
  const norm = address.toLowerCase();
  return { address, norm, hash: hashAddress(norm) };
}

/** The `address` of parseAddress only: the address in its wire form. */
export function wireAddress(raw: unknown): string | null {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH * 2) return null;
  return isPlain(raw) ? raw : examinedAddress(raw);
}

/** The slow path of wireAddress; gives the same result for plain addresses. */
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

/** The host of an address: what follows its last @. */
export const hostOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The local part of an address: what stands before its last @. */
export const localPartOf = (address: string): string => address.slice(0, address.lastIndexOf('@'));

const IGNORES_DOTS = new Set(['gmail.com', 'googlemail.com']);

/** The mailbox behind a normalised address: without its +tag, and without dots where the provider ignores them. */
export function mailboxOf(norm: string): string {
  const [local, domain] = [localPartOf(norm).split('+')[0]!, hostOf(norm)];
  return IGNORES_DOTS.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}

/** Whether two addresses reach the same mailbox, so that nobody refers or invites an alias of their own. */
export const isSameMailbox = (a: string, b: string): boolean => mailboxOf(a) === mailboxOf(b);

/** SHA-256 of the mailbox of a normalised address, stored in `users.mailbox_hash`; in SQL `mailbox_hash(norm)`. */
export const hashMailbox = (norm: string): Buffer => hashAddress(mailboxOf(norm));
