import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Batcher } from '../../../shared/database/queries/batcher.js';
import { rows } from '../../../shared/database/queries/rows.js';
import { Accounts } from '../../auth/index.js';
import type { SuppressionScope } from '../../../shared/enums.js';
import { unknownUnsubscribe } from '../lists.errors.js';
import { isTokenShaped } from '../../../shared/tokens/tokens.js';

/** Content of an unsubscribe link's token. */
export interface UnsubscribeToken {
  /** The secret part: identifies one address on one list. */
  contact: string;
  /** The sender of the mail, if the mail goes to the default list; else null. */
  senderId: string | null;
}

const SENDER = /^[A-Za-z0-9_-]{22}$/;

/**
 * Token for mail to the default list: the contact's token, a dot, and the sender's id in 22 characters. Only the
 * contact's part is secret. The sender's part needs no signature, because whoever has the link may unsubscribe from any
 * sender. It needs no stored row either, so the link outlives the delivery. In SQL: `token || '.' ||
 * rtrim(translate(encode(uuid_send(sender), 'base64'), '+/', '-_'), '=')`.
 */
export function networkToken(contactToken: string, senderId: string): string {
  return `${contactToken}.${Buffer.from(senderId.replaceAll('-', ''), 'hex').toString('base64url')}`;
}

/** Parses a token of either kind. @returns null if the token is malformed */
export function readUnsubscribeToken(token: string): UnsubscribeToken | null {
  const [contact, sender, more] = token.length <= 66 ? token.split('.') : [];
  if (!isTokenShaped(contact) || more !== undefined || (sender !== undefined && !SENDER.test(sender))) return null;
  if (sender === undefined) return { contact, senderId: null };
  const hex = Buffer.from(sender, 'base64url').toString('hex');
  return { contact, senderId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}

/** The address and list of an unsubscribe link, also after the contact was deleted. */
export interface UnsubscribeLink {
  email: string;
  email_norm: string;
  email_hash: Buffer;
  contact_id: string | null;
  email_list_id: string;
  /** Null for the default list. */
  owner_id: string | null;
  /** The list's owner; for the default list the sender, if the link names one. */
  sender_id: string | null;
  /** Whether the contact was asked to confirm and has not done so. */
  is_pending: boolean;
}

/** A suppression that unsubscribing creates and undo removes. */
export interface UnsubscribeScope {
  scope: SuppressionScope;
  owner_id: string | null;
}

export const ownerScope = (ownerId: string): UnsubscribeScope => ({ scope: 'owner', owner_id: ownerId });
export const NETWORK: UnsubscribeScope = { scope: 'network', owner_id: null };
export const EVERYTHING: UnsubscribeScope = { scope: 'all', owner_id: null };

/**
 * Scopes that a link unsubscribes from: the lists of the owner; for the default list, that list for all senders, and
 * all lists of the sender who mailed it.
 */
export function scopesOf({ owner_id: ownerId, sender_id: senderId }: UnsubscribeLink): UnsubscribeScope[] {
  if (ownerId) return [ownerScope(ownerId)];
  return senderId ? [NETWORK, ownerScope(senderId)] : [NETWORK];
}

/** Resolves unsubscribe tokens, which outlive contact, list and delivery. */
@Injectable()
export class UnsubscribeLinks {
  private readonly batcher = new Batcher((tokens: UnsubscribeToken[]) => this.findAll(tokens));

  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
  ) {}

  /** Finds the link of a token. Unknown and malformed tokens get the same error. */
  async find(token: string): Promise<UnsubscribeLink> {
    const read = readUnsubscribeToken(token);
    const link = read && (await this.batcher.add(read));
    if (!link) throw unknownUnsubscribe();
    return link;
  }

  /**
   * Finds the links of several tokens. Anyone can put any sender id into their own link: a link with the id of no
   * account therefore applies to the default list only, and no row is written for the id.
   */
  private async findAll(tokens: UnsubscribeToken[]): Promise<(UnsubscribeLink | undefined)[]> {
    const contacts = JSON.stringify([...new Set(tokens.map(({ contact }) => contact))]);
    const found = await rows<Omit<UnsubscribeLink, 'sender_id'> & { token: string }>(this.em.fork(), FIND_LINKS, [
      contacts,
      contacts,
    ]);
    // Live contacts take precedence over retired links.
    const links = new Map(found.toReversed().map(({ token, ...link }) => [token, link]));
    const named = [
      ...new Set(
        tokens.flatMap(({ contact, senderId }) =>
          senderId && links.get(contact)?.owner_id === null ? [senderId] : [],
        ),
      ),
    ];
    const senders = new Set(named.length > 0 ? (await this.accounts.byIds(named)).map(({ id }) => id) : []);
    return tokens.map(({ contact, senderId }) => {
      const link = links.get(contact);
      return link && { ...link, sender_id: link.owner_id ?? (senderId && senders.has(senderId) ? senderId : null) };
    });
  }
}

/**
 * SQL condition: contact `c` unsubscribed, and a new confirmation mail is pending or sent. That mail must become void
 * when the person unsubscribes again.
 */
export const ASKS_TO_RETURN = `(c.suppressed is not null and c.opt_in_state <> 'none'
  and (c.opt_in_source = 'public' or coalesce(c.confirmation_source = 'public' and c.confirmation_sent_at > c.unsubscribed_at, false)))`;

const FIND_LINKS = `
  select t.token, c.email, c.email_norm, c.email_hash, c.id as contact_id, c.email_list_id, l.owner_id, (not c.confirmed and c.opt_in_state <> 'none' or ${ASKS_TO_RETURN}) as is_pending
  from jsonb_array_elements_text(?::jsonb) as t(token) join subscriptions c on c.unsubscribe_token = t.token join email_lists l on l.id = c.email_list_id
  union all
  select r.token, r.email, r.email_norm, r.email_hash, null, r.email_list_id, r.owner_id, false
  from jsonb_array_elements_text(?::jsonb) as t(token) join retired_unsubscribe_links r on r.token = t.token`;
