import { ForeignKeyConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { EventBus } from '../../shared/events/event-bus.js';
import type { Client } from '../../shared/http/index.js';
import { isTokenShaped } from '../../shared/tokens/tokens.js';
import type { SuppressionScope } from '../../shared/words/suppression.js';
import { recordConsent } from './consent-log.js';
import type { UnsubscribedDto } from './dto/consent.dto.js';
import { undoOver, unknownUnsubscribe } from './lists.errors.js';
import { Suppressions } from './suppressions.service.js';

/** What an unsubscribe link stands for, its contact alive or not. */
interface Link {
  email: string;
  email_norm: string;
  email_hash: Buffer;
  contact_id: string | null;
  email_list_id: string;
  /** Null: the network. */
  owner_id: string | null;
}

export type LeavingBy = 'page' | 'one-click' | 'everything';

const UNDO_MINUTES = 10;
const LEFT = 'You have been unsubscribed.';

/** Leaving, and thinking better of it (decisions.md D23). Every call may come twice, or five times at once. */
@Injectable()
export class Unsubscribing {
  constructor(
    private readonly em: EntityManager,
    private readonly suppressions: Suppressions,
    private readonly events: EventBus,
  ) {}

  /** Takes the address off all lists of the link's owner, or off the network. */
  async leave(token: string, how: LeavingBy, client: Client): Promise<UnsubscribedDto> {
    const link = await this.find(token);
    return this.suppress(link, link.owner_id ? 'owner' : 'network', how, client);
  }

  /** Takes the address off every sender's mail. */
  async leaveEverything(token: string, client: Client): Promise<UnsubscribedDto> {
    const link = await this.find(token);
    return this.suppress(link, 'all', 'everything', client);
  }

  /** Takes back what was left within the last minutes; a second call finds nothing to do and says the same. */
  async undo(token: string, client: Client): Promise<UnsubscribedDto> {
    const link = await this.find(token);
    await this.em.transactional(async (em) => {
      const undone = await rows<{ scope: SuppressionScope }>(
        em,
        `delete from suppressions s where s.address_hash = ? and s.reason = 'unsubscribed'
           and s.created_at > now() - make_interval(mins => ${UNDO_MINUTES}) and ${OF_LINK} returning s.scope`,
        [link.email_hash, link.owner_id, link.owner_id],
      );
      if (undone.length === 0) return this.refuseIfOver(em, link);
      await rows(
        em,
        `update subscriptions c set suppressed = null, unsubscribed_at = null
         from email_lists l
         where l.id = c.email_list_id and c.email_hash = ? and c.suppressed = 'unsubscribed'
           and c.unsubscribed_at > now() - make_interval(mins => ${UNDO_MINUTES})
           and not exists (select 1 from suppressions s where s.address_hash = c.email_hash and (s.expires_at is null or s.expires_at > now())
             and (s.scope = 'all' or (s.scope = 'owner' and s.owner_id = l.owner_id) or (s.scope = 'network' and l.is_default)))`,
        [link.email_hash],
      );
      await recordConsent(em, { ...factsOf(link), kind: 'restored', how: 'page', client, details: { scopes: undone.map((row) => row.scope) } });
    });
    return { message: 'You are subscribed again.', email: link.email };
  }

  private async refuseIfOver(em: EntityManager, link: Link): Promise<void> {
    const [old] = await rows(
      em,
      `select s.id from suppressions s where s.address_hash = ? and s.reason = 'unsubscribed' and ${OF_LINK} limit 1`,
      [link.email_hash, link.owner_id, link.owner_id],
    );
    if (old) throw undoOver();
  }

  private async suppress(link: Link, scope: SuppressionScope, how: LeavingBy, client: Client): Promise<UnsubscribedDto> {
    const ownerId = scope === 'owner' ? link.owner_id : null;
    const isNew = await this.em
      .transactional(async (em) => {
        const added = await this.suppressions.add(em, { scope, ownerId, addressHash: link.email_hash, addressNorm: link.email_norm, reason: 'unsubscribed' });
        await this.dropPendingReturn(em, link);
        if (added) await recordConsent(em, { ...factsOf(link), kind: 'withdrawn', how, client, details: { scope } });
        return added;
      })
      .catch(ownerIsGone);
    if (isNew) await this.events.emit('contact.unsubscribed', { contactId: link.contact_id, addressHash: link.email_hash, ownerId: link.owner_id });
    return { message: LEFT, email: link.email };
  }

  /** Someone who had left, asked to come back and leaves again before confirming: the mail on its way no longer counts. */
  private async dropPendingReturn(em: EntityManager, link: Link): Promise<void> {
    if (!link.contact_id) return;
    await rows(
      em,
      `update subscriptions set unsubscribed_at = now(), opt_in_state = 'none'
       where id = ? and not confirmed and suppressed is not null and opt_in_state <> 'none'`,
      [link.contact_id],
    );
  }

  /** Unknown and malformed tokens are one and the same to whoever asks. */
  private async find(token: string): Promise<Link> {
    const [link] = isTokenShaped(token) ? await rows<Link>(this.em, FIND_LINK, [token, token]) : [];
    if (!link) throw unknownUnsubscribe();
    return link;
  }
}

const FIND_LINK = `
  select c.email, c.email_norm, c.email_hash, c.id as contact_id, c.email_list_id, l.owner_id
  from subscriptions c join email_lists l on l.id = c.email_list_id where c.unsubscribe_token = ?
  union all
  select r.email, r.email_norm, r.email_hash, null, r.email_list_id, r.owner_id from retired_unsubscribe_links r where r.token = ?
  limit 1`;

/** Suppressions that a link's own calls can have made: its owner's or the network's, and the one for all mail. */
const OF_LINK = `(s.scope = 'all' or (s.scope = 'owner' and s.owner_id = ?::uuid) or (s.scope = 'network' and ?::uuid is null))`;

const factsOf = (link: Link) => ({
  addressHash: link.email_hash, addressNorm: link.email_norm, contactId: link.contact_id, emailListId: link.email_list_id, ownerId: link.owner_id,
});

/** A link of an account that no longer exists: nobody is left to mail the address. */
function ownerIsGone(error: unknown): false {
  if (error instanceof ForeignKeyConstraintViolationException) return false;
  throw error;
}
