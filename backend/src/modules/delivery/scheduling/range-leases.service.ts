import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { ABANDONED, DELIVERABLE, RETRY_DUE } from '../batches/delivery-claims.service.js';
import type { PositionRange } from '../entities/delivery-range.entity.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import { MAX_LEAD, type WaitingSend, type WaitingSends } from './fair-share.js';

/** A range that this worker has leased for one slice. */
export interface LeasedRange extends PositionRange {
  userId: string;
  lease: string;
  /** Messages charged to the account for this range. */
  charged: number;
  /** Whether another range of the send is free. */
  hasMore: boolean;
}

/** Maximum sends of each kind (small, large) per query, one per account. */
const MAX_CANDIDATES_OF_A_KIND = 50;
/** Messages charged for a range that contains only retries. */
const RETRY_CHARGE = 50;

/**
 * CTE that refunds an account the part of its charge that the slice did not use. Parameters: messages to refund,
 * account.
 */
const REFUND = `refunded as (update delivery_shares set virtual_time = virtual_time - ?::float8 where user_id = ?)`;

/** SQL condition on a range `r`: no job works on it. */
const FREE = `(r.leased_until is null or r.leased_until < now())`;

/**
 * The ranges that wait for a worker, and the shares of their account holders. Stored in PostgreSQL and shared by all
 * workers.
 */
@Injectable()
export class RangeLeases {
  constructor(
    private readonly em: EntityManager,
    private readonly tuning: DeliveryTuning,
  ) {}

  /** The least advanced small send and the least advanced large send of each account with free ranges. */
  async waiting(): Promise<WaitingSends> {
    const found = await rows<WaitingSend & { clock: number }>(this.em.fork(), WAITING, [
      this.tuning.smallSend,
      MAX_CANDIDATES_OF_A_KIND,
    ]);
    return {
      clock: found[0]?.clock ?? 0,
      sends: found.map(({ sendId, userId, isSmall, virtualTime }) => ({ sendId, userId, isSmall, virtualTime })),
    };
  }

  /**
   * Leases the first free range of a send and charges its account.
   * @param clock from the query that found the send
   * @param lease random token of the lease
   * @returns undefined if other workers took the last range, or if the send was stopped
   */
  async lease({ sendId, userId }: WaitingSend, clock: number, lease: string): Promise<LeasedRange | undefined> {
    const [leased] = await rows<Omit<LeasedRange, 'sendId' | 'userId' | 'lease'>>(this.em.fork(), LEASE, [
      sendId,
      this.tuning.sliceMs / 1000 + 1,
      lease,
      RETRY_CHARGE,
      userId,
      clock,
      clock,
      sendId,
    ]);
    return leased && { sendId, userId, lease, ...leased };
  }

  /**
   * Releases a range for the next slice.
   * @param cost messages charged to the account for this slice
   * @param restSeconds seconds during which no job takes the range
   */
  async release({ sendId, from, lease, userId, charged }: LeasedRange, cost: number, restSeconds = 0): Promise<void> {
    await changed(
      this.em.fork(),
      `with ${REFUND}
       update delivery_ranges set leased_until = case when ?::float8 > 0 then now() + make_interval(secs => ?::float8) end where history_id = ? and first_position = ? and leased_by = ?::uuid`,
      [charged - cost, userId, restSeconds, restSeconds, sendId, from, lease],
    );
  }

  /**
   * Removes a range that has no unclaimed rows. A range of a stopped send stays.
   * @param cost messages charged to the account for this slice
   * @returns `isGone`: the range was removed; `hasUnknown`: it has messages of a dead worker; `hasMore`: another range
   * of the send is free
   */
  async finish(
    { sendId, from, to, userId, charged }: LeasedRange,
    cost: number,
  ): Promise<{ isGone: boolean; hasUnknown: boolean; hasMore: boolean }> {
    const [found] = await rows<{ isGone: boolean; hasUnknown: boolean; hasMore: boolean }>(
      this.em.fork(),
      `with gone as (
         delete from delivery_ranges r where r.history_id = (${DELIVERABLE}) and r.first_position = ?
           and not exists (select 1 from email_delivery_logs d where d.history_id = r.history_id and d.position between r.next_position and r.last_position and d.status in ('queued', 'deferred') and d.next_attempt_at is null)
         returning 1
       ), ${REFUND}
       select exists (select 1 from gone) as "isGone",
         exists (select 1 from email_delivery_logs d where d.history_id = ? and d.position between ? and ? and ${ABANDONED}) as "hasUnknown",
         exists (select 1 from delivery_ranges r where r.history_id = ? and r.first_position <> ? and ${FREE}) as "hasMore"`,
      [sendId, from, charged - cost, userId, sendId, from, to, sendId, from],
    );
    return found!;
  }

  /**
   * Adds ranges for due retries and for messages of dead workers. The cursor of such a range lies after its last
   * position, because the range contains no fresh rows. Locks the send: a cancel that comes later waits and then
   * removes the new ranges; a cancel that came earlier is seen here.
   * @returns whether any range of the send is free
   */
  async openRetries(sendId: string): Promise<boolean> {
    const size = this.tuning.range;
    const [found] = await rows<{ isOpen: boolean }>(
      this.em.fork(),
      `with send as materialized (${DELIVERABLE} for share), due as (
         (select d.position from email_delivery_logs d where d.history_id = (select id from send) and ${RETRY_DUE} order by d.next_attempt_at limit 1000)
         union all (select d.position from email_delivery_logs d where d.history_id = (select id from send) and ${ABANDONED} order by d.position limit 1000)
       ), opened as (
         insert into delivery_ranges (history_id, first_position, last_position, next_position)
         select send.id, chunk * ?::int + 1, (chunk + 1) * ?::int, (chunk + 1) * ?::int + 1 from send cross join (select distinct (position - 1) / ?::int as chunk from due) c
         on conflict do nothing returning 1
       )
       select exists (select 1 from opened) or exists (select 1 from delivery_ranges r where r.history_id = (select id from send) and ${FREE}) as "isOpen"`,
      [sendId, size, size, size, size],
    );
    return found!.isOpen;
  }

  /**
   * Removes ranges of sends that have ended. Such a range remains if another worker settled the send's retries while
   * the range was being added. Locks the sends, so that the ranges of a send that is being reopened stay.
   */
  async removeEnded(): Promise<void> {
    await changed(
      this.em.fork(),
      `delete from delivery_ranges where (history_id, first_position) in (
         select r.history_id, r.first_position from delivery_ranges r join email_history h on h.id = r.history_id
         where h.status <> 'pending' order by r.history_id, r.first_position for share of h skip locked for update of r skip locked)`,
      [],
    );
  }
}

/**
 * Accounts whose ranges are all leased also count for the clock: they will wait again in a moment, and their running
 * slices are charged already.
 */
const WAITING = `
  with ranges as (
    select r.history_id, min(r.first_position) filter (where ${FREE}) as reached from delivery_ranges r group by r.history_id
  ), open as (
    select h.id, h.user_id, h.recipient_count <= ?::int as is_small, h.sent_at, f.reached
    from ranges f join email_history h on h.id = f.history_id where h.status = 'pending' and h.paused_at is null and h.cancelled_at is null
  ), sends as (
    select distinct on (user_id, is_small) * from open where reached is not null order by user_id, is_small, reached, sent_at
  ), former as (
    select coalesce(max(turn_started), 0) as clock from delivery_shares
  ), clock as (
    select greatest(f.clock, (select min(coalesce(d.virtual_time, 0)) from (select distinct user_id from open) o left join delivery_shares d on d.user_id = o.user_id)) as now from former f
  ), ranked as (
    select s.*, coalesce(d.virtual_time, 0) as virtual_time, c.now,
      row_number() over (partition by s.is_small order by least(greatest(coalesce(d.virtual_time, 0), c.now), c.now + ${MAX_LEAD}), s.sent_at) as place
    from sends s cross join clock c left join delivery_shares d on d.user_id = s.user_id
  )
  select id as "sendId", user_id as "userId", is_small as "isSmall", virtual_time as "virtualTime", now as clock from ranked where place <= ?::int order by place`;

const LEASE = `
  with next as (
    select r.history_id, r.first_position from delivery_ranges r where r.history_id = (${DELIVERABLE}) and ${FREE} order by r.first_position limit 1 for update skip locked
  ), mine as (
    update delivery_ranges r set leased_until = now() + make_interval(secs => ?), leased_by = ?::uuid from next
    where r.history_id = next.history_id and r.first_position = next.first_position
    returning r.first_position, r.last_position, case when r.next_position > r.last_position then ?::int else r.last_position - r.next_position + 1 end as charged
  ), charged as (
    insert into delivery_shares as s (user_id, virtual_time, turn_started, served_at) select ?, ?::float8 + charged, ?::float8, now() from mine
    on conflict (user_id) do update
    set virtual_time = least(greatest(s.virtual_time, excluded.turn_started), excluded.turn_started + ${MAX_LEAD}) + excluded.virtual_time - excluded.turn_started,
      turn_started = greatest(s.turn_started, excluded.turn_started), served_at = excluded.served_at
  )
  select m.first_position as "from", m.last_position as "to", m.charged,
    exists (select 1 from delivery_ranges r where r.history_id = ? and r.first_position <> m.first_position and ${FREE}) as "hasMore" from mine m`;
