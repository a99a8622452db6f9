import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { bulkRows, changed, rows } from '../../shared/database/rows.js';
import type { SqlPart } from '../lists/index.js';
import type { Range } from './delivery-ranges.js';
import { RetrySchedule } from './retry-schedule.js';
import { SendingTuning } from './sending-tuning.js';

/** A row to deliver: ours once it is marked, until its lease runs out; id and attempt together are then the right to write its result. */
export interface Claim {
  id: string;
  attempt: number;
  contactId: string;
  emailListId: string;
  /** The mail account that its row names. */
  providerId: string | null;
  position: number;
  /** Right side of the recipient's address. */
  domain: string;
  /** The mailbox provider that its rate counts with; empty until it is looked up. */
  provider: string;
  /** Tried before, or given back: it waits by its row. */
  isRetry: boolean;
  /** Cursor of its range, where it has one. */
  cursor: number | null;
  deferrals: number;
  ambiguous: number;
  /** Seconds since the first try that failed; 0 where none did. */
  secondsSinceFirst: number;
}

/** A claim's result, as it is written down. */
export interface Settled {
  id: string;
  attempt: number;
  status: 'sent' | 'deferred' | 'queued' | 'failed' | 'skipped' | 'unconfirmed';
  messageId?: string;
  /** The mail account that it went by, where that is another than the row names. */
  provider?: string;
  metadata?: Record<string, unknown>;
  /** Pause before the next try, where there is one. */
  pauseSeconds?: number;
  deferral?: boolean;
  ambiguous?: boolean;
  /** What the metrics count it under. */
  lane?: string;
}

/** The send with this id, unless its sender stopped it. */
export const GOES_ON = `select h.id from email_history h where h.id = ? and h.paused_at is null and h.cancelled_at is null`;

/** A row `d` whose time to be tried again has come. */
export const RETRY_DUE = `d.status in ('queued', 'deferred') and d.next_attempt_at is not null and d.next_attempt_at <= now()`;

/** A row `d` whose worker is gone. */
export const ABANDONED = `d.status = 'sending' and d.lease_until < now()`;

/** Of the open rows `d`: nobody has it, or who took it died before handing anything over. */
const FREE = `(d.status = 'sending' and not d.transmitting and d.lease_until < now() or d.status <> 'sending' and coalesce(d.next_attempt_at, '-infinity') <= now())`;

/**
 * A condition of rows that are named by their ids, hidden from the planner: it would take it to leave one row at most, and join the rest to
 * the ids by comparing each with each, or read all of a partial index with its dead entries.
 */
export const BY_ID = (condition: string): string => `case when ${condition} then true else false end`;

const NO_QUESTION: SqlPart = { sql: 'select 1', params: [] };

const COLUMNS = `d.id, d.position, d.attempt + 1 as attempt, d.contact_id as "contactId", d.email_list_id as "emailListId", d.provider_id as "providerId", lower(split_part(d.recipient_email, '@', 2)) as domain, '' as provider,
  d.deferrals, d.ambiguous, d.next_attempt_at is not null as "isRetry", coalesce(extract(epoch from now()) - (d.metadata->>'since')::float8, 0)::float8 as "secondsSinceFirst"`;

const keysOf = (claims: readonly { id: string; attempt: number }[]): string => JSON.stringify(claims.map(({ id, attempt }) => ({ id, attempt })));

/** The states of a delivery between queued and settled; every change is one statement over many rows, by the database's clock. */
@Injectable()
export class DeliveryClaims {
  constructor(
    private readonly em: EntityManager,
    private readonly schedule: RetrySchedule,
    private readonly tuning: SendingTuning,
  ) {}

  /**
   * The next rows of a range: those that nobody took up yet, from the range's cursor on, and those whose time to be tried again has come.
   * Nothing is written: markTransmitting takes them, and who looked at the same rows meanwhile gets only what the other left.
   */
  async claim({ sendId, from, to }: Range): Promise<Claim[]> {
    return bulkRows<Claim>(
      this.em,
      `select ${COLUMNS}, r.next_position as cursor
       from email_delivery_logs d left join delivery_ranges r on r.history_id = d.history_id and r.first_position = ?::int
       where d.history_id = (${GOES_ON}) and d.position between ? and ? and d.status in ('queued', 'deferred')
         and (d.next_attempt_at <= now() or d.next_attempt_at is null and d.position between r.next_position and r.last_position)
       order by d.position limit ?`,
      [from, sendId, from, to, this.tuning.claim],
    );
  }

  /** Rows at these positions that wait for nothing but their provider. */
  async claimAt(sendId: string, positions: readonly number[]): Promise<Claim[]> {
    return bulkRows<Claim>(
      this.em,
      `select ${COLUMNS}, null::int as cursor from email_delivery_logs d
       where d.history_id = (${GOES_ON}) and d.position in (select jsonb_array_elements(?::jsonb)::int) and d.status in ('queued', 'deferred') and d.next_attempt_at is null
       order by d.position`,
      [sendId, JSON.stringify(positions)],
    );
  }

  /** Whether a send was neither paused nor cancelled. */
  async goesOn(sendId: string): Promise<boolean> {
    return (await rows(this.em.fork(), GOES_ON, [sendId])).length > 0;
  }

  /**
   * Takes claims of one send and marks them as handed over, committed before it happens. Who pauses or cancels the send waits for
   * this (FOR SHARE) and finds the rows; who comes later finds the send stopped. The same statement asks a question of each recipient,
   * answered as the database stood when it began.
   * @param question a query of at most one row, which may name the contact `m.contact_id`
   * @returns by the ids that are ours now, the columns of the answer, null where there is none
   */
  async markTransmitting<T extends object>(sendId: string, claims: readonly Claim[], question: SqlPart = NO_QUESTION): Promise<Map<string, T>> {
    const found = await bulkRows<T & { claimId: string }>(
      this.em,
      `with send as materialized (${GOES_ON} for share), marked as (
         update email_delivery_logs d
         set status = 'sending', attempt = c.attempt, transmitting = true, next_attempt_at = null, lease_until = now() + make_interval(secs => ?::int)
         from jsonb_to_recordset(?::jsonb) as c(id uuid, attempt int)
         where d.id = c.id and ${BY_ID(`d.attempt = c.attempt - 1 and d.history_id = (select id from send) and d.status in ('queued', 'sending', 'deferred') and ${FREE}`)}
         returning d.id, d.contact_id
       )
       select m.id as "claimId", q.* from marked m left join lateral (${question.sql}) q on true`,
      [sendId, this.tuning.leaseSeconds, keysOf(claims), ...question.params],
    );
    return new Map(found.map((row) => [row.claimId, row]));
  }

  async renew(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    await bulkRows(
      this.em,
      `update email_delivery_logs d set lease_until = now() + make_interval(secs => ?::int)
       from jsonb_to_recordset(?::jsonb) as c(id uuid, attempt int) where d.id = c.id and ${BY_ID(`d.attempt = c.attempt and d.status = 'sending'`)}`,
      [this.tuning.leaseSeconds, keysOf(claims)],
    );
  }

  /** Gives back what was marked and not handed over. */
  async release(claims: readonly Claim[], pauseSeconds = 0): Promise<void> {
    await this.settle(claims.map(({ id, attempt }) => ({ id, attempt, status: 'queued', pauseSeconds })));
  }

  /**
   * Writes results. A result counts for its own claim only, except an acceptance: the mail is out, whoever says so,
   * and nothing but a later bounce or complaint takes it back. `json`: the results, where they are in that form already.
   */
  async settle(results: readonly Settled[], json: readonly string[] = results.map((result) => JSON.stringify(result))): Promise<void> {
    if (results.length === 0) return;
    await bulkRows(
      this.em,
      `update email_delivery_logs d
       set status = r.status, transmitting = false, lease_until = null,
         message_id = coalesce(r."messageId", d.message_id), provider_id = coalesce(p.id, d.provider_id),
         sent_at = case when r.status = 'sent' then now() else d.sent_at end,
         next_attempt_at = case when r."pauseSeconds" is not null then now() + make_interval(secs => r."pauseSeconds") end,
         deferrals = d.deferrals + coalesce(r.deferral, false)::int, ambiguous = d.ambiguous + coalesce(r.ambiguous, false)::int,
         metadata = case
           when r.metadata is null then d.metadata
           when r."pauseSeconds" is not null then jsonb_build_object('since', extract(epoch from now())) || coalesce(d.metadata, '{}') || r.metadata
           else coalesce(d.metadata, '{}') || r.metadata end
       from jsonb_to_recordset(?::jsonb) as r(id uuid, attempt int, status text, "messageId" text, provider text, metadata jsonb, "pauseSeconds" float8, deferral boolean, ambiguous boolean)
       left join email_providers p on p.id::text = r.provider
       where d.id = r.id and (d.attempt = r.attempt and d.status = 'sending' or r.status = 'sent' and d.status not in ('sent', 'bounced', 'complained'))`,
      [`[${json.join(',')}]`],
    );
  }

  /** Puts back what a worker that is gone had marked and, as it noted, never handed over. @returns how many */
  async putBack(keys: readonly { id: string; attempt: number }[]): Promise<number> {
    if (keys.length === 0) return 0;
    return changed(
      this.em,
      `update email_delivery_logs d set status = 'queued', transmitting = false, lease_until = null, next_attempt_at = now()
       from jsonb_to_recordset(?::jsonb) as c(id uuid, attempt int)
       where d.id = c.id and ${BY_ID(`d.attempt = c.attempt and d.status = 'sending' and d.transmitting and d.lease_until < now()`)}`,
      [keysOf(keys)],
    );
  }

  async hasUnknown({ sendId, from, to }: Range): Promise<boolean> {
    return (await rows(this.em, `select 1 from email_delivery_logs d where d.history_id = ? and d.position between ? and ? and ${ABANDONED} limit 1`, [sendId, from, to])).length > 0;
  }

  /** Rows whose worker died after handing them over: they may have arrived, so only a few more tries, then unconfirmed. */
  async recoverUnknown({ sendId, from, to }: Range): Promise<void> {
    await changed(
      this.em,
      `update email_delivery_logs d
       set ambiguous = ambiguous + transmitting::int, transmitting = false, lease_until = null,
         status = case when not transmitting then 'queued' when ambiguous >= ?::int then 'unconfirmed' else 'deferred' end,
         next_attempt_at = case when not transmitting then now() when ambiguous >= ?::int then null
           else now() + make_interval(secs => (?::float8[])[least(ambiguous + 1, cardinality(?::float8[]))] * (0.8 + 0.4 * random())) end,
         metadata = case when not transmitting then metadata else jsonb_build_object('since', extract(epoch from now())) || coalesce(metadata, '{}')
           || '{"class": "unknown-outcome", "reason": "Sending was interrupted while the message was being handed over"}' end
       where d.history_id = ? and d.position between ? and ? and ${ABANDONED}`,
      [this.tuning.ambiguousLimit, this.tuning.ambiguousLimit, this.schedule.literal, this.schedule.literal, sendId, from, to],
    );
  }

  /** When the send's next row is to be tried again, in milliseconds from now; undefined where none waits. */
  async nextRetry(sendId: string): Promise<{ delayMs: number } | undefined> {
    const [row] = await rows<{ delayMs: number }>(
      this.em,
      `select (greatest(0, extract(epoch from next_attempt_at - now())) * 1000)::float8 as "delayMs"
       from email_delivery_logs where history_id = (${GOES_ON}) and status in ('queued', 'deferred') and next_attempt_at is not null
       order by next_attempt_at limit 1`,
      [sendId],
    );
    return row;
  }

  /**
   * Pending sends that somebody should look at. due: messages of it have to be tried again or lost their worker; waiting: ranges of it wait for a
   * worker; over: nothing of it is open any more; lost: it has open rows and nothing that will make them due. What waits for its provider or for
   * a time to come, and what is paused, is no concern of this.
   */
  async unattended(): Promise<{ sendId: string; state: 'due' | 'waiting' | 'over' | 'lost' }[]> {
    return rows(
      this.em,
      `select * from (
         select h.id as "sendId", case
           when h.cancelled_at is not null then 'over'
           when h.paused_at is null and (exists (select 1 from email_delivery_logs d where d.history_id = h.id and ${RETRY_DUE})
             or exists (select 1 from email_delivery_logs d where d.history_id = h.id and ${ABANDONED})) then 'due'
           when h.paused_at is null and exists (select 1 from delivery_ranges where history_id = h.id) then 'waiting'
           when exists (select 1 from send_layouts where history_id = h.id) or exists (select 1 from delivery_backlogs where history_id = h.id)
             or exists (select 1 from email_delivery_logs d where d.history_id = h.id and d.status in ('queued', 'deferred') and d.next_attempt_at is not null)
             or exists (select 1 from email_delivery_logs d where d.history_id = h.id and d.status = 'sending') then null
           when not exists (select 1 from email_delivery_logs d where d.history_id = h.id and d.status in ('queued', 'deferred')) then 'over'
           when h.paused_at is null then 'lost' end as state
         from email_history h where h.status = 'pending' order by h.sent_at) found
       where state is not null`,
    );
  }

  /**
   * Lays ranges out anew for a send that has open rows and nothing that would make them due: it was accepted by a version that knew no
   * ranges, or the database was repaired by hand. @returns whether there was anything to lay out
   */
  async rebuildRanges(sendId: string): Promise<boolean> {
    return (await changed(
      this.em,
      `insert into delivery_ranges (history_id, first_position, last_position, next_position)
       select d.history_id, min(d.position), max(d.position), min(d.position) from email_delivery_logs d
       where d.history_id = (${GOES_ON}) and d.status in ('queued', 'deferred') and d.next_attempt_at is null
         and not exists (select 1 from delivery_ranges where history_id = ?) and not exists (select 1 from delivery_backlogs where history_id = ?)
       group by d.history_id, (d.position - 1) / ?::int on conflict do nothing`,
      [sendId, sendId, sendId, this.tuning.range],
    )) > 0;
  }
}
