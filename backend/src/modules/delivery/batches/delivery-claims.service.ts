import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { hostSql } from '../../../shared/database/queries/columns.js';
import type { PositionRange } from '../entities/delivery-range.entity.js';
import { RetrySchedule } from '../retry-schedule.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import { type DeliveryResult, type StoredResult, storedResult } from './delivery-result.js';

/**
 * A delivery to process. The worker that marks the delivery's row owns the delivery until the lease ends. A result may
 * be written only with the matching id and attempt.
 */
export interface Claim {
  id: string;
  attempt: number;
  contactId: string;
  emailListId: string;
  /** Id of the mail account that the row names. */
  accountId: string | null;
  position: number;
  /** Domain of the recipient's address. */
  domain: string;
  /** Mailbox provider whose rate applies; empty until the provider is looked up. */
  provider: string;
  /**
   * Whether the delivery was tried or released before. If so, its own due time decides when it is due, not a range's
   * cursor.
   */
  isRetry: boolean;
  /** Cursor of the range that contains the delivery; null without a range, as for a delivery read from a backlog. */
  cursor: number | null;
  deferrals: number;
  ambiguous: number;
  /** Seconds since the first failed try; 0 if there was none. */
  secondsSinceFirst: number;
}

/** SQL of the send with this id, unless its sender paused or cancelled it. */
export const DELIVERABLE = `select h.id from email_history h where h.id = ? and h.paused_at is null and h.cancelled_at is null`;

/** SQL condition on a row `d`: its retry is due. */
export const RETRY_DUE = `d.status in ('queued', 'deferred') and d.next_attempt_at is not null and d.next_attempt_at <= now()`;

/** SQL condition on a row `d`: the row's lease has ended, so its worker is dead. */
export const ABANDONED = `d.status = 'sending' and d.lease_until < now()`;

/** SQL condition on an open row `d`: it is due and unclaimed, or its worker died before it dispatched anything. */
const FREE = `(d.status = 'sending' and not d.transmitting and d.lease_until < now() or d.status <> 'sending' and coalesce(d.next_attempt_at, '-infinity') <= now())`;

/**
 * Hides a condition from the planner, for rows that are selected by id. The planner would otherwise expect the
 * condition to leave at most one row, and then compare each row with each id, or read a whole partial index with its
 * dead entries.
 */
export const BY_ID = (condition: string): string => `case when ${condition} then true else false end`;

const NO_QUESTION: SqlPart = { sql: 'select 1', params: [] };

const COLUMNS = `d.id, d.position, d.attempt + 1 as attempt, d.contact_id as "contactId", d.email_list_id as "emailListId", d.provider_id as "accountId", lower(${hostSql('d.recipient_email')}) as domain, '' as provider,
  d.deferrals, d.ambiguous, d.next_attempt_at is not null as "isRetry", coalesce(extract(epoch from now()) - (d.metadata->>'since')::float8, 0)::float8 as "secondsSinceFirst"`;

const keysOf = (claims: readonly { id: string; attempt: number }[]): string =>
  JSON.stringify(claims.map(({ id, attempt }) => ({ id, attempt })));

/**
 * Changes the states of deliveries between queued and settled. Each change is one statement over many rows and uses the
 * database's clock.
 */
@Injectable()
export class DeliveryClaims {
  constructor(
    private readonly em: EntityManager,
    private readonly schedule: RetrySchedule,
    private readonly tuning: DeliveryTuning,
  ) {}

  /**
   * Reads the next rows of a range: unclaimed rows from the range's cursor on, and due retries. Writes nothing. Several
   * workers may read the same rows, but `claim` gives each row to only one of them.
   */
  async peekDue({ sendId, from, to }: PositionRange): Promise<Claim[]> {
    return rows<Claim>(
      this.em,
      `select ${COLUMNS}, r.next_position as cursor
       from email_delivery_logs d left join delivery_ranges r on r.history_id = d.history_id and r.first_position = ?::int
       where d.history_id = (${DELIVERABLE}) and d.position between ? and ? and d.status in ('queued', 'deferred')
         and (d.next_attempt_at <= now() or d.next_attempt_at is null and d.position between r.next_position and r.last_position)
       order by d.position limit ?`,
      [from, sendId, from, to, this.tuning.claim],
    );
  }

  /**
   * Reads those of the rows at these positions that still wait for their provider and have no retry time. The same
   * statement checks that the send is not stopped: with two statements, the caller could mistake waiting rows for done
   * ones if the send was paused and resumed in between.
   * @returns undefined if the sender paused or cancelled the send
   */
  async peekAt(sendId: string, positions: readonly number[]): Promise<Claim[] | undefined> {
    const found = await rows<Claim | { id: null }>(
      this.em,
      `select ${COLUMNS}, null::int as cursor from (${DELIVERABLE}) h
       left join email_delivery_logs d on d.history_id = h.id and d.position = any(?::int[]) and d.status in ('queued', 'deferred') and d.next_attempt_at is null
       order by d.position`,
      [sendId, positions],
    );
    return found.length === 0 ? undefined : found.filter((claim) => claim.id !== null);
  }

  /**
   * Claims rows of one send and marks them as transmitting. The commit precedes the first byte sent to the mail server.
   * A concurrent pause or cancel waits for this statement (FOR SHARE) and then sees the rows; a later claim sees that
   * the send is stopped. The same statement runs `question` for each recipient, on the database's state at the
   * statement's start.
   * @param question a query that returns at most one row and may refer to `m.contact_id`
   * @param claimToken of the batch's start log; null without a start log
   * @returns the columns of the query's row by id of the claimed delivery; null columns if the query found no row
   */
  async claim<T extends object>(
    sendId: string,
    claims: readonly Claim[],
    question: SqlPart = NO_QUESTION,
    claimToken: number | null = null,
  ): Promise<Map<string, T>> {
    const found = await rows<T & { claimId: string }>(
      this.em,
      `with send as materialized (${DELIVERABLE} for share), marked as (
         update email_delivery_logs d
         set status = 'sending', attempt = c.attempt, claim_token = ?::int, transmitting = true, next_attempt_at = null, lease_until = now() + make_interval(secs => ?::int)
         from jsonb_to_recordset(?::jsonb) as c(id uuid, attempt int)
         where d.id = c.id and ${BY_ID(`d.attempt = c.attempt - 1 and d.history_id = (select id from send) and d.status in ('queued', 'sending', 'deferred') and ${FREE}`)}
         returning d.id, d.contact_id
       )
       select m.id as "claimId", q.* from marked m left join lateral (${question.sql}) q on true`,
      [sendId, claimToken, this.tuning.leaseSeconds, keysOf(claims), ...question.params],
    );
    return new Map(found.map((row) => [row.claimId, row]));
  }

  async renew(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    await rows(
      this.em,
      `update email_delivery_logs d set lease_until = now() + make_interval(secs => ?::int)
       from jsonb_to_recordset(?::jsonb) as c(id uuid, attempt int) where d.id = c.id and ${BY_ID(`d.attempt = c.attempt and d.status = 'sending'`)}`,
      [this.tuning.leaseSeconds, keysOf(claims)],
    );
  }

  /** Releases claims that were marked but not dispatched. */
  async release(claims: readonly Claim[], pauseSeconds = 0): Promise<void> {
    await this.settle(claims.map(({ id, attempt }) => ({ id, attempt, status: 'queued', pauseSeconds })));
  }

  /**
   * Writes results. A result applies only to its own claim, with one exception: `sent` always wins, because the message
   * is out whichever claim reports it. Only a later bounce or complaint replaces `sent`.
   * @param json the results as JSON, if the caller has it already
   */
  async settle(
    results: readonly (DeliveryResult | StoredResult)[],
    json: readonly string[] = results.map((result) => JSON.stringify(storedResult(result))),
  ): Promise<void> {
    if (results.length === 0) return;
    await rows(
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

  /** @returns the database's time as text, with microseconds, which a Date would cut off */
  async databaseTime(): Promise<string> {
    return (await rows<{ now: string }>(this.em, `select now()::text as now`))[0]!.now;
  }

  /**
   * Requeues rows that a dead worker had marked but, according to its start log, never dispatched.
   * @param claimToken of the start log; rows that another batch marked stay unchanged
   * @param leasesEndedBefore see `Recovery`
   * @returns number of requeued rows
   */
  async requeueUnbegun(
    keys: readonly { id: string; attempt: number }[],
    claimToken: number,
    leasesEndedBefore: string,
  ): Promise<number> {
    if (keys.length === 0) return 0;
    return changed(
      this.em,
      `update email_delivery_logs d set status = 'queued', transmitting = false, lease_until = null, next_attempt_at = now()
       from jsonb_to_recordset(?::jsonb) as c(id uuid, attempt int)
       where d.id = c.id and ${BY_ID(`d.attempt = c.attempt and d.claim_token = ?::int and d.status = 'sending' and d.transmitting and d.lease_until < ?::timestamptz`)}`,
      [keysOf(keys), claimToken, leasesEndedBefore],
    );
  }

  async hasUnknown({ sendId, from, to }: PositionRange): Promise<boolean> {
    const sql = `select 1 from email_delivery_logs d where d.history_id = ? and d.position between ? and ? and ${ABANDONED} limit 1`;
    return (await rows(this.em, sql, [sendId, from, to])).length > 0;
  }

  /**
   * Handles rows whose worker died after dispatching them. Their messages may have arrived, so only a few more tries
   * follow, and then the status `unconfirmed`.
   * @param leasesEndedBefore see `Recovery`
   */
  async recoverUnknown({ sendId, from, to }: PositionRange, leasesEndedBefore: string): Promise<void> {
    await changed(
      this.em,
      `update email_delivery_logs d
       set ambiguous = ambiguous + transmitting::int, transmitting = false, lease_until = null,
         status = case when not transmitting then 'queued' when ambiguous >= ?::int then 'unconfirmed' else 'deferred' end,
         next_attempt_at = case when not transmitting then now() when ambiguous >= ?::int then null
           else now() + make_interval(secs => (?::float8[])[least(ambiguous + 1, cardinality(?::float8[]))] * (0.8 + 0.4 * random())) end,
         metadata = case when not transmitting then metadata else jsonb_build_object('since', extract(epoch from now())) || coalesce(metadata, '{}')
           || '{"class": "unknown-outcome", "reason": "Sending was interrupted while the message was being handed over"}' end
       where d.history_id = ? and d.position between ? and ? and d.status = 'sending' and d.lease_until < ?::timestamptz`,
      [
        this.tuning.ambiguousLimit,
        this.tuning.ambiguousLimit,
        this.schedule.literal,
        this.schedule.literal,
        sendId,
        from,
        to,
        leasesEndedBefore,
      ],
    );
  }

  /** @returns ms until the send's next retry; undefined if there is none */
  async nextRetry(sendId: string): Promise<{ delayMs: number } | undefined> {
    const [row] = await rows<{ delayMs: number }>(
      this.em,
      `select (greatest(0, extract(epoch from next_attempt_at - now())) * 1000)::float8 as "delayMs"
       from email_delivery_logs where history_id = (${DELIVERABLE}) and status in ('queued', 'deferred') and next_attempt_at is not null
       order by next_attempt_at limit 1`,
      [sendId],
    );
    return row;
  }

  /**
   * Pending sends that need a worker. due: retries are due or a worker has died; waiting: ranges wait for a worker;
   * over: nothing is left to deliver; lost: the send has open rows that nothing will make due. Omits paused sends, and
   * sends that wait for a provider or a due time.
   */
  async sendsWithoutWorker(): Promise<{ sendId: string; state: 'due' | 'waiting' | 'over' | 'lost' }[]> {
    return rows(
      this.em,
      `select * from (
         select h.id as "sendId", case
           when h.cancelled_at is not null then 'over'
           when h.paused_at is null and (exists (select 1 from email_delivery_logs d where d.history_id = h.id and ${RETRY_DUE})
             or exists (select 1 from email_delivery_logs d where d.history_id = h.id and ${ABANDONED})) then 'due'
           when h.paused_at is null and exists (select 1 from delivery_ranges where history_id = h.id) then 'waiting'
           when exists (select 1 from send_layouts where history_id = h.id) or exists (select 1 from delivery_backlogs where history_id = h.id and waiting > 0)
             or exists (select 1 from email_delivery_logs d where d.history_id = h.id and d.status in ('queued', 'deferred') and d.next_attempt_at is not null)
             or exists (select 1 from email_delivery_logs d where d.history_id = h.id and d.status = 'sending') then null
           when not exists (select 1 from email_delivery_logs d where d.history_id = h.id and d.status in ('queued', 'deferred')) then 'over'
           when h.paused_at is null then 'lost' end as state
         from email_history h where h.status = 'pending' order by h.sent_at) found
       where state is not null`,
    );
  }

  /**
   * Recreates the ranges of a send whose open rows would never be picked up, because an older version without ranges
   * accepted the send or somebody edited the database. Locks the send, so that a cancel also removes these ranges.
   * @returns whether the send had such rows
   */
  async rebuildRanges(sendId: string): Promise<boolean> {
    return (
      (await changed(
        this.em,
        `with send as materialized (${DELIVERABLE} for share)
       insert into delivery_ranges (history_id, first_position, last_position, next_position)
       select d.history_id, min(d.position), max(d.position), min(d.position) from email_delivery_logs d
       where d.history_id = (select id from send) and d.status in ('queued', 'deferred') and d.next_attempt_at is null
         and not exists (select 1 from delivery_ranges where history_id = ?) and not exists (select 1 from delivery_backlogs where history_id = ? and waiting > 0)
       group by d.history_id, (d.position - 1) / ?::int on conflict do nothing`,
        [sendId, sendId, sendId, this.tuning.range],
      )) > 0
    );
  }
}
