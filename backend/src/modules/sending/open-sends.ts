import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';

/** A mail account in use, and how it fares. */
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
  /** What was last said against one of its messages. */
  reason: string | null;
}

const MOST = 50;

/** What goes on, and why it may not: for the command line and the metrics. */
@Injectable()
export class OpenSends {
  constructor(private readonly em: EntityManager) {}

  accounts(): Promise<AccountHealth[]> {
    return rows(this.em.fork(), `select name, is_default as "isDefault", state, last_error as "lastError", last_error_at as "lastErrorAt" from email_providers where is_active order by is_default desc, name`);
  }

  /** The oldest first. */
  list(): Promise<OpenSend[]> {
    return rows(
      this.em.fork(),
      `select h.id, h.subject, h.reply_to as sender, (extract(epoch from now() - h.sent_at) / 60)::int as "waitsMinutes", h.paused_at is not null as paused, d.*
       from email_history h cross join lateral (
         select (count(*) filter (where status = 'queued'))::int as queued, (count(*) filter (where status = 'sending'))::int as sending, (count(*) filter (where status = 'deferred'))::int as deferred,
                min(next_attempt_at) as "nextTry", max(metadata ->> 'reason') as reason
         from email_delivery_logs where history_id = h.id and status in ('queued', 'sending', 'deferred')
       ) d
       where h.status = 'pending' order by h.sent_at limit ${MOST}`,
    );
  }
}

@Module({ providers: [OpenSends], exports: [OpenSends] })
export class OpenSendsModule {}
