import { isTokenShaped } from '../../shared/tokens/tokens.js';

/** What the token of an unsubscribe link says. */
export interface UnsubscribeToken {
  /** The secret: it stands for one address on one list. */
  contact: string;
  /** Of a mail to the network: who sent it. */
  senderId: string | null;
}

const SENDER = /^[A-Za-z0-9_-]{22}$/;

/**
 * The token of a mail to the network: the contact's own, a dot, and the sender's id in 22 letters. The contact's part is the
 * secret; the sender's only says whom to leave as well, so it needs no seal: who holds the token may leave any sender. It
 * needs no stored row either, so it outlives the delivery, and SQL makes it by
 * `token || '.' || rtrim(translate(encode(uuid_send(sender), 'base64'), '+/', '-_'), '=')`.
 */
export function networkToken(contactToken: string, senderId: string): string {
  return `${contactToken}.${Buffer.from(senderId.replaceAll('-', ''), 'hex').toString('base64url')}`;
}

/** Reads a link's token, of either kind; null: it cannot be one. */
export function readUnsubscribeToken(token: string): UnsubscribeToken | null {
  const [contact, sender, more] = token.length <= 66 ? token.split('.') : [];
  if (!isTokenShaped(contact) || more !== undefined || (sender !== undefined && !SENDER.test(sender))) return null;
  if (sender === undefined) return { contact, senderId: null };
  const hex = Buffer.from(sender, 'base64url').toString('hex');
  return { contact, senderId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}
