import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { Accounts } from '../auth/index.js';
import type { SuppressionScope } from '../../shared/words/suppression.js';
import { unknownUnsubscribe } from './lists.errors.js';
import { readUnsubscribeToken } from './unsubscribe-token.js';

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
  constructor(private readonly em: EntityManager, private readonly accounts: Accounts) {}

  /** Unknown and malformed tokens are one and the same to whoever asks. */
  async find(token: string): Promise<UnsubscribeLink> {
    const read = readUnsubscribeToken(token);
    const [link] = read ? await rows<Omit<UnsubscribeLink, 'sender_id'>>(this.em, FIND_LINK, [read.contact, read.contact]) : [];
    if (!link) throw unknownUnsubscribe();
    return { ...link, sender_id: link.owner_id ?? (await this.senderOf(read?.senderId ?? null)) };
  }

  /** Anybody can write an id into a link of their own; of one that names no account only the network is left, and no row is written for it. */
  private async senderOf(senderId: string | null): Promise<string | null> {
    return senderId && (await this.accounts.byId(senderId)) ? senderId : null;
  }
}

/** Contact `c` had left and was asked back since, or will be: a mail that is under way must not count after leaving again. */
export const ASKS_BACK = `(c.suppressed is not null and c.opt_in_state <> 'none'
  and (c.opt_in_source = 'public' or coalesce(c.confirmation_source = 'public' and c.confirmation_sent_at > c.unsubscribed_at, false)))`;

const FIND_LINK = `
  select c.email, c.email_norm, c.email_hash, c.id as contact_id, c.email_list_id, l.owner_id, (not c.confirmed and c.opt_in_state <> 'none' or ${ASKS_BACK}) as is_pending
  from subscriptions c join email_lists l on l.id = c.email_list_id where c.unsubscribe_token = ?
  union all
  select r.email, r.email_norm, r.email_hash, null, r.email_list_id, r.owner_id, false from retired_unsubscribe_links r where r.token = ?
  limit 1`;
