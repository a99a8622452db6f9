import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Batcher } from '../../shared/database/batcher.js';
import { rows } from '../../shared/database/rows.js';
import { EventBus } from '../../shared/events/event-bus.js';
import { type Client, RateLimits } from '../../shared/http/index.js';
import { recordConsent } from './consent-log.js';
import type { UnsubscribedDto } from './dto/consent.dto.js';
import { undoOver } from './lists.errors.js';
import { SenderChoices } from './sender-choices.service.js';
import { Suppressions } from './suppressions.service.js';
import { ASKS_BACK, EVERYTHING, type LeavingScope, scopesOf, type UnsubscribeLink, UnsubscribeLinks } from './unsubscribe-links.service.js';

export type LeavingBy = 'page' | 'one-click' | 'everything' | 'preferences';

interface Leaving {
  link: UnsubscribeLink;
  scopes: LeavingScope[];
  how: LeavingBy;
  client: Client;
}

const UNDO_MINUTES = 10;

/** Leaving, and thinking better of it (decisions.md D23). Every call may come twice, or five times at once. */
@Injectable()
export class Unsubscribing {
  private readonly batcher = new Batcher((leavings: Leaving[]) => this.writeAll(leavings));

  constructor(
    private readonly em: EntityManager,
    private readonly links: UnsubscribeLinks,
    private readonly choices: SenderChoices,
    private readonly suppressions: Suppressions,
    private readonly events: EventBus,
    private readonly limits: RateLimits,
  ) {}

  /** Takes the address off all lists of the link's owner; of a mail to the network, off the network and all lists of its sender. */
  async leave(token: string, how: LeavingBy, client: Client): Promise<UnsubscribedDto> {
    const link = await this.links.find(token);
    return this.suppress(link, scopesOf(link), how, client);
  }

  /** Takes the address off every sender's mail. */
  async leaveEverything(token: string, client: Client): Promise<UnsubscribedDto> {
    return this.suppress(await this.links.find(token), [EVERYTHING], 'everything', client);
  }

  /** Takes the address off the lists of one of the senders who have it. */
  async leaveSender(token: string, sender: string, client: Client): Promise<UnsubscribedDto> {
    const link = await this.links.find(token);
    return this.suppress(link, [await this.choices.scopeOf(link, sender)], 'preferences', client);
  }

  /** Takes back what was left within the last minutes, by the link or of one sender; a second call finds nothing to do and says the same. */
  async undo(token: string, sender: string | null | undefined, client: Client): Promise<UnsubscribedDto> {
    const link = await this.links.find(token);
    // Leaving again writes nothing; only taking it back in between makes new rows. Leaving itself is never limited.
    await this.limits.consume('undo', link.email_hash.toString('hex'));
    const scopes = sender ? [await this.choices.scopeOf(link, sender)] : [...scopesOf(link), EVERYTHING];
    const undone = await this.em.transactional(async (em) => {
      const undone = await rows<{ scope: string; leftAt: Date | string }>(
        em,
        `delete from suppressions s ${OF_SCOPES} and s.created_at > now() - make_interval(mins => ${UNDO_MINUTES}) returning s.scope, s.created_at as "leftAt"`,
        [JSON.stringify(scopes), link.email_hash],
      );
      if (undone.length === 0) await this.refuseIfOver(em, link, scopes);
      if (undone.length === 0) return undone;
      await rows(em, RESTORE, [link.email_hash]);
      await recordConsent(em, { ...factsOf(link), kind: 'restored', how: 'page', client, details: { scopes: undone.map((row) => row.scope) } });
      return undone;
    });
    const leftAt = new Date(Math.min(...undone.map((row) => Number(new Date(row.leftAt)))));
    if (undone.length > 0) await this.events.emit('contact.restored', { contactId: link.contact_id, ownerId: link.sender_id, leftAt });
    return { message: 'You are subscribed again.', email: link.email };
  }

  private async refuseIfOver(em: EntityManager, link: UnsubscribeLink, scopes: LeavingScope[]): Promise<void> {
    const [old] = await rows(em, `select s.id from suppressions s ${OF_SCOPES.replace('using', ',')} limit 1`, [JSON.stringify(scopes), link.email_hash]);
    if (old) throw undoOver();
  }

  private async suppress(link: UnsubscribeLink, scopes: LeavingScope[], how: LeavingBy, client: Client): Promise<UnsubscribedDto> {
    const isNew = await this.batcher.add({ link, scopes, how, client });
    if (isNew) await this.events.emit('contact.unsubscribed', { contactId: link.contact_id, addressHash: link.email_hash, ownerId: link.sender_id });
    const network = scopes.some(({ scope }) => scope === 'network') && how !== 'preferences';
    return { message: network ? 'You have been unsubscribed from the network.' : 'You have been unsubscribed.', email: link.email };
  }

  /** @returns of each whether anything was left that was not left before */
  private async writeAll(leavings: Leaving[]): Promise<boolean[]> {
    const pending = leavings.flatMap(({ link, how }) => (link.is_pending && how !== 'preferences' && link.contact_id ? [link.contact_id] : []));
    const em = this.em.fork();
    if (pending.length === 0) return this.addAll(em, leavings);
    return em.transactional(async (em) => {
      const areNew = await this.addAll(em, leavings);
      await this.dropPendingReturns(em, pending);
      return areNew;
    });
  }

  private async addAll(em: EntityManager, leavings: Leaving[]): Promise<boolean[]> {
    const asked = leavings.map(({ link, scopes, how, client }) => {
      const { email_hash: addressHash, email_norm: addressNorm, contact_id: contactId, email_list_id: emailListId, sender_id: ownerId } = link;
      return {
        scopes: scopes.map(({ scope, owner_id }) => ({ scope, ownerId: owner_id })),
        suppressed: { addressHash, addressNorm, reason: 'unsubscribed' },
        evidence: { kind: 'withdrawn', how, contactId, emailListId, ownerId, client },
      } as const;
    });
    return (await this.suppressions.addMany(em, asked)).map((added) => added.length > 0);
  }

  /** Those who had left, asked to come back and leave again before confirming: the mail on its way no longer counts. */
  private async dropPendingReturns(em: EntityManager, contactIds: string[]): Promise<void> {
    await rows(
      em,
      `update subscriptions c set unsubscribed_at = now(), opt_in_state = 'none', opt_in_source = null, opt_in_type = null
       where id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and suppressed is not null and opt_in_state <> 'none' and (not confirmed or ${ASKS_BACK})`,
      [JSON.stringify(contactIds)],
    );
  }
}

/** Suppressions of an address that a person's leaving made, of the scopes asked for. Parameters: scopes as JSON, the address. */
const OF_SCOPES = `using jsonb_to_recordset(?::jsonb) as t(scope text, owner_id uuid)
  where s.address_hash = ? and s.reason = 'unsubscribed' and s.scope = t.scope and s.owner_id is not distinct from t.owner_id`;

/** Lifts the marks of what was just left, where nothing else keeps the address off. */
const RESTORE = `
  update subscriptions c set suppressed = null, unsubscribed_at = null,
         opt_in_state = case when c.opt_in_state = 'none' and not c.confirmed then 'due' else c.opt_in_state end
  from email_lists l
  where l.id = c.email_list_id and c.email_hash = ? and c.suppressed = 'unsubscribed'
    and c.unsubscribed_at > now() - make_interval(mins => ${UNDO_MINUTES})
    and not exists (select 1 from suppressions s where s.address_hash = c.email_hash and (s.expires_at is null or s.expires_at > now())
      and (s.scope = 'all' or (s.scope = 'owner' and s.owner_id = l.owner_id) or (s.scope = 'network' and l.is_default)))`;

const factsOf = (link: UnsubscribeLink) => ({
  addressHash: link.email_hash, addressNorm: link.email_norm, contactId: link.contact_id, emailListId: link.email_list_id, ownerId: link.sender_id,
});
