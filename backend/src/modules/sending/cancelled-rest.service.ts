import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';

const AT_A_TIME = 1_000;
/** When one looks again where another is at it. */
const BUSY_MS = 50;

interface Round {
  mine: boolean;
  taken: number;
  first: number | null;
}

/**
 * Settles what a cancelled send has not handed over. Messages under way end on their own, and rows that another transaction holds
 * wait for the next round, so this never stands in a worker's way; a message that may have arrived is not called skipped.
 */
@Injectable()
export class CancelledRest implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(private readonly em: EntityManager) {}

  /** The next sweep goes on with it. */
  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /** Nothing where the send is not cancelled. @param limitMs when to leave the rest to the next call @returns whether this was all of it */
  async skip(sendId: string, limitMs = Infinity): Promise<boolean> {
    const [send] = await rows<{ cancelled: boolean }>(this.em, `select cancelled_at is not null as cancelled from email_history where id = ?`, [sendId]);
    if (!send?.cancelled) return true;
    const end = Date.now() + limitMs;
    for (let from = 0; !this.stopping && Date.now() < end; ) {
      const { mine, taken, first } = await this.skipSome(sendId, from);
      if (mine && taken < AT_A_TIME) {
        await changed(this.em, `delete from delivery_ranges where history_id = ?`, [sendId]);
        return true;
      }
      // From where this round began: the next one sees that its entries of the index are dead, and marks them so for whoever reads the index later.
      if (mine) from = first!;
      else await pause(BUSY_MS);
    }
    return false;
  }

  /** One at a time for each send: several would take turns at the table's end and the log's, and each wait for all. */
  private async skipSome(sendId: string, from: number): Promise<Round> {
    const [round] = await rows<Round>(
      this.em,
      `with turn as materialized (select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as mine), waiting as materialized (
         select id, position from email_delivery_logs
         where (select mine from turn) and history_id = ? and position >= ? and status in ('queued', 'deferred') order by position limit ? for update skip locked), abandoned as materialized (
         select id, position from email_delivery_logs
         where (select mine from turn) and history_id = ? and position >= ? and status = 'sending' and not (transmitting and lease_until >= now())
         order by position limit ? for update skip locked), rest as materialized (
         select * from (select * from waiting union all select * from abandoned) found order by position limit ?), skipped as (
         update email_delivery_logs d
         set status = case when d.ambiguous > 0 or d.transmitting then 'unconfirmed' else 'skipped' end,
           ambiguous = d.ambiguous + d.transmitting::int, transmitting = false, lease_until = null, next_attempt_at = null,
           metadata = coalesce(d.metadata, '{}') || '{"reason": "Cancelled by the sender", "class": null}'
         from rest where d.id = rest.id)
       select (select mine from turn) as mine, count(*)::int as taken, min(position) as first from rest`,
      [`sending.cancelled:${sendId}`, sendId, from, AT_A_TIME, sendId, from, AT_A_TIME, AT_A_TIME],
    );
    return round!;
  }
}
