import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { EventBus, OnAppEvent } from '../../../shared/events/event-bus.js';
import type { Client } from '../../../shared/http/index.js';
import { hashMailbox } from '../../../shared/mail/address.js';
import { hashToken, isTokenShaped } from '../../../shared/tokens/tokens.js';
import type { SuppressionReason } from '../../../shared/enums.js';
import { recordConsent } from '../unsubscribe/consent-log.js';
import type { ConfirmedDto } from '../unsubscribe/consent.dto.js';
import { AskRecords } from '../outreach/ask-records.service.js';
import { expiredConfirmation, unknownConfirmation, withdrawnConfirmation } from '../lists.errors.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { isoTimeSql } from '../../../shared/text/formats.js';

interface Asked {
  id: string;
  email: string;
  email_norm: string;
  email_hash: Buffer;
  confirmed: boolean;
  suppressed: SuppressionReason | null;
  email_list_id: string;
  owner_id: string | null;
  list_name: string;
  /** Contact type offered in the mail. */
  agreed_type: string;
  is_expired: boolean;
  /** Whether the person had unsubscribed and comes back through this mail. */
  is_return: boolean;
}

/** Second step of double opt-in: the recipient confirms. */
@Injectable()
export class OptInConfirmation {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventBus,
    private readonly asks: AskRecords,
  ) {}

  /** Confirms a contact once. A repeated call gets the same answer without effect, even after a later unsubscribe. */
  async confirm(token: string, client: Client): Promise<ConfirmedDto> {
    if (!isTokenShaped(token)) throw unknownConfirmation();
    const { asked, isNew } = await inTransaction(this.em, async (em) => {
      const [found] = await rows<Asked>(em, FIND, [hashToken(token)]);
      if (!found) throw unknownConfirmation();
      const isAway = found.suppressed === 'unsubscribed' || found.suppressed === 'complained';
      if (isAway && !found.is_return) throw withdrawnConfirmation();
      if (found.confirmed && !isAway) return { asked: found, isNew: false };
      if (found.is_expired) throw expiredConfirmation();
      await this.asks.noteConfirmed(em, hashMailbox(found.email_norm), found.email_list_id);
      await this.write(em, found, client);
      return { asked: found, isNew: true };
    });
    if (isNew) await this.events.emit('contact.confirmed', { contactId: asked.id, emailListId: asked.email_list_id });
    return { message: 'Your subscription is confirmed.', email: asked.email, listName: asked.list_name };
  }

  private async write(em: EntityManager, asked: Asked, client: Client): Promise<void> {
    // Only a fresh double opt-in by the address itself lifts a suppression.
    const lifted = await rows(
      em,
      `delete from suppressions s where s.address_hash = ? and ((s.scope = 'owner' and s.owner_id = ?::uuid) or (s.scope = 'network' and ?::uuid is null)) returning s.id`,
      [asked.email_hash, asked.owner_id, asked.owner_id],
    );
    await recordConsent(em, {
      kind: 'confirmed',
      how: 'link',
      addressHash: asked.email_hash,
      addressNorm: asked.email_norm,
      contactId: asked.id,
      emailListId: asked.email_list_id,
      ownerId: asked.owner_id,
      form: 'confirmation-mail',
      client,
      details: { listName: asked.list_name, subscriptionType: asked.agreed_type, liftedSuppression: lifted.length > 0 },
    });
    // Applies the type that this mail offered. Runs last, because it locks the list's counters, which every
    // confirmation and unsubscribe updates.
    const evidence = { how: 'link', ip: client.ip, userAgent: client.userAgent, form: 'confirmation-mail' };
    await rows(
      em,
      `update subscriptions set confirmed = true, confirmed_at = now(), suppressed = null, unsubscribed_at = null, introduction_due = false, opt_in_state = 'sent',
              opt_in_source = null, opt_in_type = null, source = coalesce(confirmation_source, source), subscription_type = coalesce(confirmation_type, subscription_type),
              consent = jsonb_build_object('at', ${isoTimeSql('now()')}) || ?::jsonb
       where id = ?`,
      [JSON.stringify(evidence), asked.id],
    );
  }
}

const FIND = `
  select c.id, c.email, c.email_norm, c.email_hash, c.confirmed, c.suppressed, c.email_list_id, l.owner_id, l.name as list_name, coalesce(c.confirmation_type, c.subscription_type) as agreed_type,
         coalesce(c.confirmation_token_expires < now(), false) as is_expired,
         coalesce(c.confirmation_source, c.source) = 'public' and c.confirmation_sent_at > coalesce(c.unsubscribed_at, '-infinity') as is_return
  from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null
  where c.confirmation_token = ? for update of c`;

/** Starts the confirmation mails that waited until the list's owner was verified. */
@Injectable()
export class OptInOnVerification {
  constructor(private readonly jobs: JobQueue) {}

  @OnAppEvent('user.verified')
  async release(): Promise<void> {
    await this.jobs.kick('opt-in');
  }
}
