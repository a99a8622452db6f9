import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';

const POSITIONS_PER_TRANSACTION = 1_000;
/** Ms before the next try while another caller settles the same send. */
const RETRY_BUSY_MS = 50;

interface Round {
  mine: boolean;
  taken: number;
  first: number | null;
}

/**
 * Settles the unsent messages of a cancelled send. Messages in flight end on their own, and rows locked by another
 * transaction wait for the next round, so that workers never wait for a cancellation. Never marks a message as skipped
 * if it may have arrived.
 */
@Injectable()
export class CancelRemaining implements BeforeApplicationShutdown {
  private readonly log = new Logger(CancelRemaining.name);
  private stopping = false;
  private recoverLogs?: () => Promise<{ leasesEndedBefore: string }>;

  constructor(private readonly em: EntityManager) {}

  /**
   * Sets the reader of the logs of dead workers. It tells which of their messages were delivered or never left. Until
   * it is set, as in web processes, `skip` leaves the messages of dead workers to the sweep of a worker.
   */
  recoverLogsBy(recover: () => Promise<{ leasesEndedBefore: string }>): void {
    this.recoverLogs = recover;
  }

  /** Makes `skip` return early on shutdown; the next sweep settles the remaining messages. */
  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /**
   * Settles the unsent messages of a send. Does nothing unless the send is cancelled.
   * @param limitMs time, after the logs were read, after which the remaining messages are left to the next call
   * @returns whether nothing is left to settle, except messages whose workers died during this call. False if messages
   * of dead workers are left because their logs could not be read
   */
  async skip(sendId: string, limitMs = Infinity): Promise<boolean> {
    const [send] = await rows<{ cancelled: boolean }>(
      this.em,
      `select cancelled_at is not null as cancelled from email_history where id = ?`,
      [sendId],
    );
    if (!send?.cancelled) return true;
    const needsLogs = await this.hasDeadWorkers(sendId);
    const leasesEndedBefore = needsLogs ? await this.readLogs() : null;
    const end = performance.now() + limitMs;
    for (let from = 0; !this.stopping && performance.now() < end;) {
      const { mine, taken, first } = await this.skipSome(sendId, from, leasesEndedBefore);
      if (mine && taken < POSITIONS_PER_TRANSACTION) {
        await changed(this.em, `delete from delivery_ranges where history_id = ?`, [sendId]);
        return !needsLogs || leasesEndedBefore !== null;
      }
      // Restarts at this batch's first position, so that PostgreSQL marks the dead index entries for later readers.
      if (mine) from = first!;
      else await pause(RETRY_BUSY_MS);
    }
    return false;
  }

  /** Whether messages of the send were marked by workers that have died since. */
  private async hasDeadWorkers(sendId: string): Promise<boolean> {
    const found = await rows(
      this.em,
      `select 1 from email_delivery_logs where history_id = ? and status = 'sending' and transmitting and lease_until < now() order by position limit 1`,
      [sendId],
    );
    return found.length > 0;
  }

  /** @returns database time for which the logs of dead workers were read; null if they could not be read */
  private async readLogs(): Promise<string | null> {
    try {
      return (await this.recoverLogs?.())?.leasesEndedBefore ?? null;
    } catch (error) {
      this.log.error(
        { err: error },
        'the logs of dead workers could not be read; the next sweep settles their messages',
      );
      return null;
    }
  }

  /**
   * Settles one batch. Only one caller per send works at a time, because several would contend for the end of the table
   * and of PostgreSQL's write-ahead log.
   */
  private async skipSome(sendId: string, from: number, leasesEndedBefore: string | null): Promise<Round> {
    const [round] = await rows<Round>(
      this.em,
      `with own_lock as materialized (select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as mine), waiting as materialized (
         select id, position from email_delivery_logs
         where (select mine from own_lock) and history_id = ? and position >= ? and status in ('queued', 'deferred') order by position limit ? for update skip locked), abandoned as materialized (
         select id, position from email_delivery_logs
         where (select mine from own_lock) and history_id = ? and position >= ? and status = 'sending' and (not transmitting or lease_until < ?::timestamptz)
         order by position limit ? for update skip locked), remaining as materialized (
         select * from (select * from waiting union all select * from abandoned) found order by position limit ?), skipped as (
         update email_delivery_logs d
         set status = case when d.ambiguous > 0 or d.transmitting then 'unconfirmed' else 'skipped' end,
           ambiguous = d.ambiguous + d.transmitting::int, transmitting = false, lease_until = null, next_attempt_at = null,
           metadata = coalesce(d.metadata, '{}') || '{"reason": "Cancelled by the sender", "class": null}'
         from remaining where d.id = remaining.id)
       select (select mine from own_lock) as mine, count(*)::int as taken, min(position) as first from remaining`,
      [
        `sending.cancelled:${sendId}`,
        sendId,
        from,
        POSITIONS_PER_TRANSACTION,
        sendId,
        from,
        leasesEndedBefore,
        POSITIONS_PER_TRANSACTION,
        POSITIONS_PER_TRANSACTION,
      ],
    );
    return round!;
  }
}
