import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { type ProviderBacklog, ProviderBacklogs } from '../../delivery/index.js';

/** An active mail account and its health. */
export interface AccountHealth {
  name: string;
  isDefault: boolean;
  state: string;
  lastError: string | null;
  lastErrorAt: Date | string | null;
}

/** A send that has not ended. */
export interface OpenSend {
  id: string;
  subject: string;
  sender: string;
  waitsMinutes: number;
  paused: boolean;
  queued: number;
  sending: number;
  deferred: number;
  nextTry: Date | string | null;
  /** Number of messages that wait for their mailbox provider, by provider. */
  waiting: Record<string, number>;
  /**
   * What holds up the send: a problem with its attached files, or else the reason that is stored with its first
   * deferred message. Null if there is neither.
   */
  reason: string | null;
}

const MAX_SENDS = 50;

/** Running sends and what holds them up, for the command line and the metrics. */
@Injectable()
export class OpenSends {
  constructor(private readonly em: EntityManager) {}

  accounts(): Promise<AccountHealth[]> {
    return rows(
      this.em.fork(),
      `select name, is_default as "isDefault", state, last_error as "lastError", last_error_at as "lastErrorAt" from email_providers where is_active order by is_default desc, name`,
    );
  }

  /** Rate and backlog of each mailbox provider. */
  providers(): Promise<ProviderBacklog[]> {
    return new ProviderBacklogs(this.em).list();
  }

  /** The open sends, oldest first, at most 50. */
  list(): Promise<OpenSend[]> {
    return rows(
      this.em.fork(),
      `select h.id, h.subject, h.reply_to as sender, (extract(epoch from now() - h.sent_at) / 60)::int as "waitsMinutes", h.paused_at is not null as paused,
         greatest(0, h.recipient_count - ended.n - handed.n - deferred.n)::int as queued, handed.n as sending, deferred.n as deferred,
         (select min(next_attempt_at) from email_delivery_logs where history_id = h.id and status in ('queued', 'deferred') and next_attempt_at is not null) as "nextTry",
         case when h.files_missing_at is not null then 'an attached file is missing in the file storage' when h.files_unread_at is not null then 'the file storage does not answer'
           else (select metadata ->> 'reason' from email_delivery_logs where history_id = h.id and status = 'deferred' order by position limit 1) end as reason,
         coalesce((select jsonb_object_agg(provider, waiting) from delivery_backlogs where history_id = h.id), '{}') as waiting
       from email_history h
       cross join lateral (select coalesce(sum(sent + unconfirmed + failed + skipped + bounced + complained), 0)::int as n from delivery_tallies where history_id = h.id) ended
       cross join lateral (select count(*)::int as n from email_delivery_logs where history_id = h.id and status = 'sending') handed
       cross join lateral (select count(*)::int as n from email_delivery_logs where history_id = h.id and status = 'deferred') deferred
       where h.status = 'pending' order by h.sent_at limit ${MAX_SENDS}`,
    );
  }
}

@Module({ providers: [OpenSends], exports: [OpenSends] })
export class OpenSendsModule {}
