import { hashAddress } from './address.js';

const IGNORES_DOTS = new Set(['gmail.com', 'googlemail.com']);

/** The mailbox that a normalised address reaches: without its +tag, and where the provider ignores them without dots. */
export function mailboxOf(norm: string): string {
  const at = norm.lastIndexOf('@');
  const [local, domain] = [norm.slice(0, at).split('+')[0]!, norm.slice(at + 1)];
  return IGNORES_DOTS.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}

/** Whether two addresses are one person's: nobody refers or invites an alias of their own. */
export const isSameMailbox = (a: string, b: string): boolean => mailboxOf(a) === mailboxOf(b);

/** SHA-256 of the mailbox behind a normalised address: `users.mailbox_hash`, by SQL `mailbox_hash(norm)`. */
export const hashMailbox = (norm: string): Buffer => hashAddress(mailboxOf(norm));
