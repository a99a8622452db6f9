import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Batcher } from '../../shared/database/batcher.js';
import { bulkRows } from '../../shared/database/rows.js';
import { Accounts } from '../auth/index.js';
import type { SuppressionScope } from '../../shared/words/suppression.js';
import { unknownUnsubscribe } from './lists.errors.js';
import { readUnsubscribeToken, type UnsubscribeToken } from './unsubscribe-token.js';

/** What an unsubscribe link stands for, its contact alive or not. */
export interface UnsubscribeLink {
  email: string;
  email_norm: string;
  email_hash: Buffer;
  contact_id: string | null;
  email_list_id: string;
  /** Null: the network. */
  owner_id: string | null;
  /** Whoever mailed it: the list's owner; of the network the sender, where the link names one. */
  sender_id: string | null;
  /** The contact was asked to confirm, and has not. */
  is_pending: boolean;
}

/** A suppression that leaving makes, and undo takes back. */
export interface LeavingScope {
  scope: SuppressionScope;
  owner_id: string | null;
}

export const ownerScope = (ownerId: string): LeavingScope => ({ scope: 'owner', owner_id: ownerId });
export const NETWORK: LeavingScope = { scope: 'network', owner_id: null };
export const EVERYTHING: LeavingScope = { scope: 'all', owner_id: null };

/** How far a link reaches: its owner's lists, or the network of all senders and all lists of the one who mailed it (decisions.md D23). */
export function scopesOf({ owner_id: ownerId, sender_id: senderId }: UnsubscribeLink): LeavingScope[] {
  if (ownerId) return [ownerScope(ownerId)];
  return senderId ? [NETWORK, ownerScope(senderId)] : [NETWORK];
}

/** Finds what an unsubscribe token stands for; it outlives contact, list and delivery. */
@Injectable()
export class UnsubscribeLinks {
  private readonly batcher = new Batcher((tokens: UnsubscribeToken[]) => this.findAll(tokens));

  constructor(private readonly em: EntityManager, private readonly accounts: Accounts) {}

  /** Unknown and malformed tokens are one and the same to whoever asks. */
  async find(token: string): Promise<UnsubscribeLink> {
    const read = readUnsubscribeToken(token);
    const link = read && (await this.batcher.add(read));
    if (!link) throw unknownUnsubscribe();
    return link;
  }

  /** Anybody can write an id into a link of their own; of one that names no account only the network is left, and no row is written for it. */
  private async findAll(tokens: UnsubscribeToken[]): Promise<(UnsubscribeLink | undefined)[]> {
    const contacts = JSON.stringify([...new Set(tokens.map(({ contact }) => contact))]);
    const found = await bulkRows<Omit<UnsubscribeLink, 'sender_id'> & { token: string }>(this.em.fork(), FIND_LINKS, [contacts, contacts]);
    // What a contact says stands first, and holds.
    const links = new Map(found.toReversed().map(({ token, ...link }) => [token, link]));
    const named = [...new Set(tokens.flatMap(({ contact, senderId }) => (senderId && links.get(contact)?.owner_id === null ? [senderId] : [])))];
    const senders = new Set(named.length > 0 ? (await this.accounts.byIds(named)).map(({ id }) => id) : []);
    return tokens.map(({ contact, senderId }) => {
      const link = links.get(contact);
      return link && { ...link, sender_id: link.owner_id ?? (senderId && senders.has(senderId) ? senderId : null) };
    });
  }
}

/** Contact `c` had left and was asked back since, or will be: a mail that is under way must not count after leaving again. */
export const ASKS_BACK = `(c.suppressed is not null and c.opt_in_state <> 'none'
  and (c.opt_in_source = 'public' or coalesce(c.confirmation_source = 'public' and c.confirmation_sent_at > c.unsubscribed_at, false)))`;

const FIND_LINKS = `
  select t.token, c.email, c.email_norm, c.email_hash, c.id as contact_id, c.email_list_id, l.owner_id, (not c.confirmed and c.opt_in_state <> 'none' or ${ASKS_BACK}) as is_pending
  from jsonb_array_elements_text(?::jsonb) as t(token) join subscriptions c on c.unsubscribe_token = t.token join email_lists l on l.id = c.email_list_id
  union all
  select r.token, r.email, r.email_norm, r.email_hash, null, r.email_list_id, r.owner_id, false
  from jsonb_array_elements_text(?::jsonb) as t(token) join retired_unsubscribe_links r on r.token = t.token`;
