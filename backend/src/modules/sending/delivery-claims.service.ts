import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { bulkRows, changed, rows } from '../../shared/database/rows.js';
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
  /** Right side of the recipient's address. */
  domain: string;
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
const GOES_ON = `select h.id from email_history h where h.id = ? and h.paused_at is null and h.cancelled_at is null`;

/** A row `d` that somebody should take: its time has come, or whoever took it is gone. */
export const DUE = `d.status in ('queued', 'sending', 'deferred')
  and (d.status = 'sending' and d.lease_until < now() or d.status <> 'sending' and coalesce(d.next_attempt_at, '-infinity') <= now())`;

/** Of the open rows `d`: nobody has it, or who took it died before handing anything over. */
const FREE = `(d.status = 'sending' and not d.transmitting and d.lease_until < now() or d.status <> 'sending' and coalesce(d.next_attempt_at, '-infinity') <= now())`;

/** Handed over by a worker that is gone. */
const UNKNOWN = `status = 'sending' and transmitting and lease_until < now()`;

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
   * The next rows of a range that are due, or whose worker died before it handed anything over. Nothing is written: markTransmitting
   * takes them, and who looked at the same rows meanwhile gets only what the other left.
   */
  async claim({ sendId, from, to }: Range): Promise<Claim[]> {
    return bulkRows<Claim>(
      this.em,
      `select d.id, d.attempt + 1 as attempt, d.contact_id as "contactId", d.email_list_id as "emailListId", d.provider_id as "providerId", lower(split_part(d.recipient_email, '@', 2)) as domain, d.deferrals, d.ambiguous,
         coalesce(extract(epoch from now()) - (d.metadata->>'since')::float8, 0)::float8 as "secondsSinceFirst"
       from email_delivery_logs d
       where d.history_id = (${GOES_ON}) and d.position between ? and ? and d.status in ('queued', 'sending', 'deferred') and ${FREE}
       order by d.position limit ?`,
      [sendId, from, to, this.tuning.claim],
    );
  }

  /**
   * Takes claims of one send and marks them as handed over, committed before it happens. Who pauses or cancels the send waits for
   * this (FOR SHARE) and finds the rows; who comes later finds the send stopped. @returns the ids that are ours now
   */
  async markTransmitting(sendId: string, claims: readonly Claim[]): Promise<Set<string>> {
    const marked = await bulkRows<{ id: string }>(
      this.em,
      `with send as materialized (${GOES_ON} for share)
       update email_delivery_logs d
       set status = 'sending', attempt = c.attempt, transmitting = true, next_attempt_at = null, lease_until = now() + make_interval(secs => ?::int)
       from jsonb_to_recordset(?::jsonb) as c(id uuid, attempt int)
       where d.id = c.id and d.attempt = c.attempt - 1 and d.history_id = (select id from send) and d.status in ('queued', 'sending', 'deferred') and ${FREE} returning d.id`,
      [sendId, this.tuning.leaseSeconds, keysOf(claims)],
    );
    return new Set(marked.map((row) => row.id));
  }

  /** Leaves claims that were not marked for later. */
  async postpone(later: readonly { claim: Claim; pauseSeconds: number }[]): Promise<void> {
    if (later.length === 0) return;
    await bulkRows(
      this.em,
      `update email_delivery_logs d set status = 'queued', attempt = c.attempt, transmitting = false, lease_until = null, next_attempt_at = now() + make_interval(secs => c.pause)
       from jsonb_to_recordset(?::jsonb) as c(id uuid, attempt int, pause float8)
       where d.id = c.id and d.attempt = c.attempt - 1 and d.status in ('queued', 'sending', 'deferred') and ${FREE}`,
      [JSON.stringify(later.map(({ claim: { id, attempt }, pauseSeconds }) => ({ id, attempt, pause: pauseSeconds })))],
    );
  }

  async renew(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    await bulkRows(
      this.em,
      `update email_delivery_logs d set lease_until = now() + make_interval(secs => ?::int)
       from jsonb_to_recordset(?::jsonb) as c(id uuid, attempt int) where d.id = c.id and d.attempt = c.attempt and d.status = 'sending'`,
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
       where d.id = c.id and d.attempt = c.attempt and d.status = 'sending' and d.transmitting and d.lease_until < now()`,
      [keysOf(keys)],
    );
  }

  async hasUnknown({ sendId, from, to }: Range): Promise<boolean> {
    return (await rows(this.em, `select 1 from email_delivery_logs where history_id = ? and position between ? and ? and ${UNKNOWN} limit 1`, [sendId, from, to])).length > 0;
  }

  /** Rows whose worker died after handing them over: they may have arrived, so only a few more tries, then unconfirmed. */
  async recoverUnknown({ sendId, from, to }: Range): Promise<void> {
    await changed(
      this.em,
      `update email_delivery_logs
       set ambiguous = ambiguous + 1, transmitting = false, lease_until = null,
         status = case when ambiguous >= ?::int then 'unconfirmed' else 'deferred' end,
         next_attempt_at = case when ambiguous >= ?::int then null
           else now() + make_interval(secs => (?::float8[])[least(ambiguous + 1, cardinality(?::float8[]))] * (0.8 + 0.4 * random())) end,
         metadata = jsonb_build_object('since', extract(epoch from now())) || coalesce(metadata, '{}')
           || '{"class": "unknown-outcome", "reason": "Sending was interrupted while the message was being handed over"}'
       where history_id = ? and position between ? and ? and ${UNKNOWN}`,
      [this.tuning.ambiguousLimit, this.tuning.ambiguousLimit, this.schedule.literal, this.schedule.literal, sendId, from, to],
    );
  }

  /** When the send's next row is due, in milliseconds from now, and in which range it stands; undefined where none waits. */
  async nextDue(sendId: string): Promise<{ delayMs: number; chunk: number } | undefined> {
    const [row] = await rows<{ delayMs: number; chunk: number }>(
      this.em,
      `select (greatest(0, extract(epoch from next_attempt_at - now())) * 1000)::float8 as "delayMs", (position - 1) / ?::int as chunk
       from email_delivery_logs where history_id = (${GOES_ON}) and status in ('queued', 'deferred') and next_attempt_at is not null
       order by next_attempt_at limit 1`,
      [this.tuning.range, sendId],
    );
    return row;
  }

  /** The send's first ranges after a position that hold due rows, with the highest attempt among these. */
  async dueRanges(sendId: string, after: number, limit: number): Promise<{ chunk: number; attempt: number }[]> {
    const size = this.tuning.range;
    return rows(
      this.em,
      `with recursive found(chunk) as (
         (select (d.position - 1) / ?::int from email_delivery_logs d where d.history_id = (${GOES_ON}) and d.position > ? and ${DUE} order by d.position limit 1)
         union all
         select (select (d.position - 1) / ?::int from email_delivery_logs d where d.history_id = ? and d.position > (f.chunk + 1) * ?::int and ${DUE} order by d.position limit 1)
         from found f where f.chunk is not null)
       select f.chunk, (select max(d.attempt) from email_delivery_logs d
         where d.history_id = ? and d.position between f.chunk * ?::int + 1 and (f.chunk + 1) * ?::int and ${DUE})::int as attempt
       from (select chunk from found limit ?) f where f.chunk is not null`,
      [size, sendId, after, size, sendId, size, sendId, size, size, limit],
    );
  }
}
