import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { changed, rows } from '../../shared/database/queries/rows.js';
import { ErasureRules } from '../../shared/personal-data.js';
import { ROWS_PER_DELETE, Retention } from '../../shared/retention/retention.js';
import { NIL_UUID } from '../../shared/text/formats.js';

/** Number of sends read per query. */
const SENDS = 200;
/** The warm-up needs only the hours of the current day. */
const PROVIDER_HOURS_DAYS = 7;

/**
 * Removes delivery rows and refusals after RETAIN_DELIVERY_LOGS_DAYS. Keeps the send's history entry and totals. Also
 * keeps complaints, because a complaint to a second sender ends all mail to the address, however old the first
 * complaint is.
 */
@Injectable()
export class DeliveryRetention implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly erasure: ErasureRules,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    const ofAccount = 't.history_id in (select id from email_history where user_id = ?)';
    this.erasure.add(
      { step: 'details', table: 'delivery_address_blocks', where: ofAccount, batch: 500 },
      { step: 'details', table: 'email_delivery_logs', where: ofAccount, batch: 5_000 },
      { step: 'details', table: 'send_members', where: ofAccount, batch: 5_000 },
      { step: 'details', table: 'send_left_out', where: ofAccount, batch: 5_000 },
    );
    const params = [this.settings.retention.deliveryLogs];
    // Address blocks are removed first. Without its blocks, a send is searched by its rows, which is correct even if
    // only some rows are left.
    this.retention.add(
      {
        table: 'delivery_address_blocks',
        by: 'created_at',
        params,
        where: `t.created_at < now() - make_interval(days => ?::int)`,
      },
      { table: 'email_delivery_logs', purge: (em) => this.purgeLog(em, params[0]!) },
      {
        table: 'bounce_reports',
        by: 'created_at',
        params,
        where: `t.created_at < now() - make_interval(days => ?::int) and t.class <> 'complaint' and t.applied_at is not null`,
      },
      { table: 'send_members', purge: (em) => purgeAudiences(em, 'send_members', MEMBER_DAYS) },
      { table: 'send_left_out', purge: (em) => purgeAudiences(em, 'send_left_out', params[0]!) },
      { table: 'delivery_shares', where: `t.served_at < now() - interval '1 day'` },
      { table: 'provider_minutes', by: 'minute', where: `t.minute < now() - interval '3 hours'` },
      { table: 'provider_rates', by: 'used_at', where: `t.used_at < now() - interval '3 days'` },
      { table: 'recipient_domains', by: 'looked_up_at', where: `t.looked_up_at < now() - interval '60 days'` },
      {
        table: 'provider_hours',
        where: `t.provider_id in (select p.id from email_providers p) and t.hour < now() - interval '${PROVIDER_HOURS_DAYS} days'`,
      },
    );
  }

  /**
   * Purges one send at a time, the oldest first. No index of the log starts with the time, so a purge by time would
   * read again the rows that earlier batches removed.
   */
  private async purgeLog(em: EntityManager, days: number): Promise<number> {
    let total = 0;
    for (let after: OldSend = { id: NIL_UUID, sentAt: '-infinity' }; ;) {
      const sends = await rows<OldSend & { hasRows: boolean }>(em, OLD_SENDS, [after.sentAt, after.id, days, SENDS]);
      for (const { id, hasRows } of sends) if (hasRows) total += await this.purgeSend(em, id, days);
      if (sends.length < SENDS) return total;
      after = sends.at(-1)!;
    }
  }

  private async purgeSend(em: EntityManager, sendId: string, days: number): Promise<number> {
    let total = 0;
    for (let after = 0; ;) {
      const [batch] = await rows<{ n: number; last: number }>(em, PURGE_BATCH, [sendId, after, ROWS_PER_DELETE, days]);
      total += batch!.n;
      if (batch!.last === null) return total;
      after = batch!.last;
    }
  }
}

/** Days after which the members of a send are no longer needed. */
const MEMBER_DAYS = 30;
interface OldSend {
  id: string;
  sentAt: string;
}

/**
 * Finds sends that may have old rows. Rows are created after their send was accepted, so none is older than its send.
 */
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

/**
 * Removes rows of old sends that have ended. Goes send by send, in batches, because the primary key begins with the
 * send.
 */
async function purgeAudiences(
  em: EntityManager,
  table: 'send_members' | 'send_left_out',
  days: number,
): Promise<number> {
  for (let total = 0; ;) {
    const gone = await changed(
      em,
      `delete from ${table} where ctid = any (array(
         select t.ctid from send_audiences a join email_history h on h.id = a.history_id cross join lateral (
           select t.ctid from ${table} t where t.history_id = a.history_id limit ${ROWS_PER_DELETE}) t
         where h.sent_at < now() - make_interval(days => ?::int) and h.status <> 'pending' limit ${ROWS_PER_DELETE}))`,
      [days],
    );
    total += gone;
    if (gone < ROWS_PER_DELETE) return total;
  }
}
