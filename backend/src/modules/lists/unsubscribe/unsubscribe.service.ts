import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Batcher } from '../../../shared/database/queries/batcher.js';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { EventBus } from '../../../shared/events/event-bus.js';
import { type Client, RateLimits } from '../../../shared/http/index.js';
import { recordConsent } from './consent-log.js';
import type { UnsubscribedDto } from './consent.dto.js';
import { undoOver } from '../lists.errors.js';
import { SenderChoices } from './sender-choices.service.js';
import { Suppressions } from './suppressions.service.js';
import {
  ASKS_TO_RETURN,
  EVERYTHING,
  type UnsubscribeScope,
  scopesOf,
  type UnsubscribeLink,
  UnsubscribeLinks,
} from './unsubscribe-links.service.js';
import { IN_FORCE } from './suppression-sql.js';

export type UnsubscribeOrigin = 'page' | 'one-click' | 'everything' | 'preferences';

interface UnsubscribeRequest {
  link: UnsubscribeLink;
  scopes: UnsubscribeScope[];
  how: UnsubscribeOrigin;
  client: Client;
}

const UNDO_MINUTES = 10;

/** Used instead of a token in the links of test messages, which have no effect. */
export const TEST_UNSUBSCRIBE = 'test';
const NOTHING_TO_LEAVE: UnsubscribedDto = { message: 'This is a test message. There is nothing to leave.', email: '' };

/** Unsubscribing and undoing it. Every call is idempotent and safe under concurrency. */
@Injectable()
export class UnsubscribeService {
  private readonly batcher = new Batcher((requests: UnsubscribeRequest[]) => this.writeAll(requests));

  constructor(
    private readonly em: EntityManager,
    private readonly links: UnsubscribeLinks,
    private readonly choices: SenderChoices,
    private readonly suppressions: Suppressions,
    private readonly events: EventBus,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Unsubscribes the address from all lists of the link's owner; for mail to the default list, from that list and all
   * lists of its sender.
   */
  async leave(token: string, how: UnsubscribeOrigin, client: Client): Promise<UnsubscribedDto> {
    if (token === TEST_UNSUBSCRIBE) return NOTHING_TO_LEAVE;
    const link = await this.links.find(token);
    return this.suppress(link, scopesOf(link), how, client);
  }

  /** Unsubscribes the address from all senders. */
  async leaveEverything(token: string, client: Client): Promise<UnsubscribedDto> {
    if (token === TEST_UNSUBSCRIBE) return NOTHING_TO_LEAVE;
    return this.suppress(await this.links.find(token), [EVERYTHING], 'everything', client);
  }

  /** Unsubscribes the address from one sender's lists. */
  async leaveSender(token: string, sender: string, client: Client): Promise<UnsubscribedDto> {
    if (token === TEST_UNSUBSCRIBE) return NOTHING_TO_LEAVE;
    const link = await this.links.find(token);
    return this.suppress(link, [await this.choices.scopeOf(link, sender)], 'preferences', client);
  }

  /** Undoes the unsubscribe by this link, or the one from a single sender, within UNDO_MINUTES. Idempotent. */
  async undo(token: string, sender: string | null | undefined, client: Client): Promise<UnsubscribedDto> {
    if (token === TEST_UNSUBSCRIBE) return NOTHING_TO_LEAVE;
    const link = await this.links.find(token);
    // Undo is rate-limited, because undoing and unsubscribing in turns creates new rows each time. Unsubscribing itself
    // is never limited.
    await this.limits.consume('undo', link.email_hash.toString('hex'));
    const scopes = sender ? [await this.choices.scopeOf(link, sender)] : [...scopesOf(link), EVERYTHING];
    const undone = await inTransaction(this.em, async (em) => {
      const undone = await rows<{ scope: string; leftAt: Date | string }>(
        em,
        `delete from suppressions s ${OF_SCOPES} and s.created_at > now() - make_interval(mins => ${UNDO_MINUTES}) returning s.scope, s.created_at as "leftAt"`,
        [JSON.stringify(scopes), link.email_hash],
      );
      if (undone.length === 0) await this.refuseIfOver(em, link, scopes);
      if (undone.length === 0) return undone;
      await rows(em, RESTORE, [link.email_hash]);
      await recordConsent(em, {
        ...factsOf(link),
        kind: 'restored',
        how: 'page',
        client,
        details: { scopes: undone.map((row) => row.scope) },
      });
      return undone;
    });
    const leftAt = new Date(Math.min(...undone.map((row) => Number(new Date(row.leftAt)))));
    if (undone.length > 0)
      await this.events.emit('contact.restored', { contactId: link.contact_id, ownerId: link.sender_id, leftAt });
    return { message: 'You are subscribed again.', email: link.email };
  }

  private async refuseIfOver(em: EntityManager, link: UnsubscribeLink, scopes: UnsubscribeScope[]): Promise<void> {
    const [old] = await rows(em, `select s.id from suppressions s ${OF_SCOPES.replace('using', ',')} limit 1`, [
      JSON.stringify(scopes),
      link.email_hash,
    ]);
    if (old) throw undoOver();
  }

  private async suppress(
    link: UnsubscribeLink,
    scopes: UnsubscribeScope[],
    how: UnsubscribeOrigin,
    client: Client,
  ): Promise<UnsubscribedDto> {
    const isNew = await this.batcher.add({ link, scopes, how, client });
    if (isNew)
      await this.events.emit('contact.unsubscribed', {
        contactId: link.contact_id,
        addressHash: link.email_hash,
        ownerId: link.sender_id,
      });
    const network = scopes.some(({ scope }) => scope === 'network') && how !== 'preferences';
    return {
      message: network ? 'You have been unsubscribed from the network.' : 'You have been unsubscribed.',
      email: link.email,
    };
  }

  /** Writes a batch of unsubscribes. @returns for each request, whether it unsubscribed anything new */
  private async writeAll(requests: UnsubscribeRequest[]): Promise<boolean[]> {
    const pending = requests.flatMap(({ link, how }) =>
      link.is_pending && how !== 'preferences' && link.contact_id ? [link.contact_id] : [],
    );
    const withoutContact = requests.flatMap(({ link }) => (link.contact_id ? [] : [link.email_hash]));
    const em = this.em.fork();
    if (pending.length === 0 && withoutContact.length === 0) return this.addAll(em, requests);
    return inTransaction(em, async (em) => {
      // The contacts of these addresses were removed, and their owners may be restoring them.
      if (withoutContact.length > 0) await this.suppressions.lock(em, withoutContact);
      const areNew = await this.addAll(em, requests);
      if (pending.length > 0) await this.dropPendingReturns(em, pending);
      return areNew;
    });
  }

  private async addAll(em: EntityManager, requests: UnsubscribeRequest[]): Promise<boolean[]> {
    const asked = requests.map(({ link, scopes, how, client }) => {
      const {
        email_hash: addressHash,
        email_norm: addressNorm,
        contact_id: contactId,
        email_list_id: emailListId,
        sender_id: ownerId,
      } = link;
      return {
        scopes: scopes.map(({ scope, owner_id }) => ({ scope, ownerId: owner_id })),
        suppressed: { addressHash, addressNorm, reason: 'unsubscribed' },
        evidence: { kind: 'withdrawn', how, contactId, emailListId, ownerId, client },
      } as const;
    });
    return (await this.suppressions.addMany(em, asked)).map((added) => added.length > 0);
  }

  /**
   * Cancels pending confirmations of people who unsubscribed, asked to come back, and unsubscribed again before
   * confirming.
   */
  private async dropPendingReturns(em: EntityManager, contactIds: string[]): Promise<void> {
    await rows(
      em,
      `update subscriptions c set unsubscribed_at = now(), opt_in_state = 'none', opt_in_source = null, opt_in_type = null
       where id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and suppressed is not null and opt_in_state <> 'none' and (not confirmed or ${ASKS_TO_RETURN})`,
      [JSON.stringify(contactIds)],
    );
  }
}

/**
 * SQL: the suppressions of an address, in the given scopes, that the person's own unsubscribe created. Parameters:
 * scopes as JSON, the address.
 */
const OF_SCOPES = `using jsonb_to_recordset(?::jsonb) as t(scope text, owner_id uuid)
  where s.address_hash = ? and s.reason = 'unsubscribed' and s.scope = t.scope and s.owner_id is not distinct from t.owner_id`;

/** Clears the marks that the undone unsubscribe had set, unless another suppression applies. */
const RESTORE = `
  update subscriptions c set suppressed = null, unsubscribed_at = null,
         opt_in_state = case when c.opt_in_state = 'none' and not c.confirmed then 'due' else c.opt_in_state end
  from email_lists l
  where l.id = c.email_list_id and c.email_hash = ? and c.suppressed = 'unsubscribed'
    and c.unsubscribed_at > now() - make_interval(mins => ${UNDO_MINUTES})
    and not exists (select 1 from suppressions s where s.address_hash = c.email_hash and ${IN_FORCE}
      and (s.scope = 'all' or (s.scope = 'owner' and s.owner_id = l.owner_id) or (s.scope = 'network' and l.is_default)))`;

const factsOf = (link: UnsubscribeLink) => ({
  addressHash: link.email_hash,
  addressNorm: link.email_norm,
  contactId: link.contact_id,
  emailListId: link.email_list_id,
  ownerId: link.sender_id,
});
