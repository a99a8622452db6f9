import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { rows } from '../../shared/database/rows.js';
import { ErasureRules } from '../../shared/erasure/erasure-rules.js';
import { BATCH, Retention } from '../../shared/retention/retention.js';

/** Sends that are looked at together. */
const SENDS = 200;
/** A warm-up asks for the hours of one day. */
const PROVIDER_HOURS_DAYS = 7;

/**
 * Who got which message, and what was said against it, is kept for RETAIN_DELIVERY_LOGS_DAYS; a send's entry and its totals stay. So do complaints: the second sender
 * that somebody complains about ends all mail to the address, however long ago the first one was.
 */
@Injectable()
export class SendingRetention implements OnModuleInit {
  constructor(private readonly retention: Retention, private readonly erasure: ErasureRules, private readonly settings: Settings) {}

  onModuleInit(): void {
    const ofAccount = 't.history_id in (select id from email_history where user_id = ?)';
    this.erasure.add(
      { step: 'details', table: 'delivery_address_blocks', where: ofAccount, batch: 500 },
      { step: 'details', table: 'email_delivery_logs', where: ofAccount, batch: 5_000 },
    );
    const params = [this.settings.retention.deliveryLogs];
    // Blocks go first: without them a search reads the rows, whichever are left.
    this.retention.add(
      { table: 'delivery_address_blocks', by: 'created_at', params, where: `t.created_at < now() - make_interval(days => ?::int)` },
      { table: 'email_delivery_logs', purge: (em) => this.purgeLog(em, params[0]!) },
      { table: 'bounce_reports', by: 'created_at', params, where: `t.created_at < now() - make_interval(days => ?::int) and t.class <> 'complaint' and t.applied_at is not null` },
      { table: 'delivery_shares', where: `t.served_at < now() - interval '1 day'` },
      { table: 'provider_hours', where: `t.provider_id in (select p.id from email_providers p) and t.hour < now() - interval '${PROVIDER_HOURS_DAYS} days'` },
    );
  }

  /** Send by send, the oldest first: no index of the log begins with its time, and rows that are gone must not be read again for the next batch. */
  private async purgeLog(em: EntityManager, days: number): Promise<number> {
    let total = 0;
    for (let after: OldSend = { id: NIL, sentAt: '-infinity' }; ; ) {
      const sends = await rows<OldSend & { hasRows: boolean }>(em, OLD_SENDS, [after.sentAt, after.id, days, SENDS]);
      for (const { id, hasRows } of sends) if (hasRows) total += await this.purgeSend(em, id, days);
      if (sends.length < SENDS) return total;
      after = sends.at(-1)!;
    }
  }

  private async purgeSend(em: EntityManager, sendId: string, days: number): Promise<number> {
    let total = 0;
    for (let after = 0; ; ) {
      const [batch] = await rows<{ n: number; last: number }>(em, PURGE_BATCH, [sendId, after, BATCH, days]);
      total += batch!.n;
      if (batch!.last === null) return total;
      after = batch!.last;
    }
  }
}

interface OldSend {
  id: string;
  sentAt: string;
}

const NIL = '00000000-0000-0000-0000-000000000000';

/** Rows of a send are laid out after it was accepted, so none is older than it. */
export const OLD_SENDS = `
  select h.id, h.sent_at::text as "sentAt", exists (select 1 from email_delivery_logs d where d.history_id = h.id) as "hasRows"
  from email_history h where (h.sent_at, h.id) > (?::timestamptz, ?::uuid) and h.sent_at < now() - make_interval(days => ?::int) order by h.sent_at, h.id limit ?`;

export const PURGE_BATCH = `
  with batch as materialized (
    select t.id, t.position, t.created_at, t.status from email_delivery_logs t where t.history_id = ? and t.position > ? order by t.position limit ?
  ), gone as (
    delete from email_delivery_logs d using batch b where d.id = b.id and b.created_at < now() - make_interval(days => ?::int) and b.status not in ('queued', 'sending', 'deferred') returning 1
  )
  select (select count(*)::int from gone) as n, max(position) as last from batch`;
