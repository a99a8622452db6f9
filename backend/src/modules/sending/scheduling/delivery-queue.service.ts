import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/rows.js';
import { ABANDONED, GOES_ON, RETRY_DUE } from '../delivery-claims.service.js';
import type { Range } from '../delivery-ranges.js';
import { SendingTuning } from '../sending-tuning.js';
import type { WaitingSend, WaitingSends } from './fair-share.js';

/** A range that this worker has leased for one turn. */
export interface LeasedRange extends Range {
  userId: string;
  lease: string;
  /** Messages that its account was charged. */
  charged: number;
  /** Another range of the send is free. */
  hasMore: boolean;
}

/** Sends of each kind that one look brings at most, one of each account. */
const MOST_OF_A_KIND = 50;
/** Charged for a range that was gone through before and holds only messages to be tried again. */
const RETRY_CHARGE = 50;

/** Charges an account for what was begun in its turn and not for the whole range. Parameters: messages that were charged for nothing, account. */
const GIVE_BACK = `given_back as (update delivery_shares set virtual_time = virtual_time - ?::float8 where user_id = ?)`;

/** A range `r` that no job works on. */
const FREE = `(r.leased_until is null or r.leased_until < now())`;

/** Ranges that wait for a worker, and the shares of their account holders. They stand in PostgreSQL and are the same for every worker. */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly em: EntityManager,
    private readonly tuning: SendingTuning,
  ) {}

  /** Of each account with free ranges one small and one large send: the one that got least far. */
  async waiting(): Promise<WaitingSends> {
    const found = await rows<WaitingSend & { clock: number }>(this.em.fork(), WAITING, [this.tuning.smallSend, MOST_OF_A_KIND]);
    return { clock: found[0]?.clock ?? 0, sends: found.map(({ sendId, userId, isSmall, virtualTime }) => ({ sendId, userId, isSmall, virtualTime })) };
  }

  /**
   * Takes the first free range of a send for the job `lease` and charges its account from virtual time `start` on.
   * @returns undefined where other workers took the last one, or the send was stopped
   */
  async lease({ sendId, userId }: WaitingSend, start: number, lease: string): Promise<LeasedRange | undefined> {
    const [leased] = await rows<Omit<LeasedRange, 'sendId' | 'userId' | 'lease'>>(this.em.fork(), LEASE, [sendId, this.tuning.turnMs / 1000 + 1, lease, RETRY_CHARGE, userId, start, start, sendId]);
    return leased && { sendId, userId, lease, ...leased };
  }

  /** Leaves a range to the next turn. @param begun messages of this turn; its account is charged for no others */
  async release({ sendId, from, lease, userId, charged }: LeasedRange, begun: number): Promise<void> {
    await changed(
      this.em.fork(),
      `with ${GIVE_BACK}
       update delivery_ranges set leased_until = null where history_id = ? and first_position = ? and leased_by = ?::uuid`,
      [charged - begun, userId, sendId, from, lease],
    );
  }

  /**
   * Removes a range once nothing in it is left to be taken up; a range of a stopped send stays. `hasUnknown`: a worker that is gone left messages
   * of it; `hasMore`: another range of the send is free. @param begun messages of this turn; its account is charged for no others
   */
  async finish({ sendId, from, to, userId, charged }: LeasedRange, begun: number): Promise<{ isGone: boolean; hasUnknown: boolean; hasMore: boolean }> {
    const [found] = await rows<{ isGone: boolean; hasUnknown: boolean; hasMore: boolean }>(
      this.em.fork(),
      `with gone as (
         delete from delivery_ranges r where r.history_id = (${GOES_ON}) and r.first_position = ?
           and not exists (select 1 from email_delivery_logs d where d.history_id = r.history_id and d.position between r.next_position and r.last_position and d.status in ('queued', 'deferred') and d.next_attempt_at is null)
         returning 1
       ), ${GIVE_BACK}
       select exists (select 1 from gone) as "isGone",
         exists (select 1 from email_delivery_logs d where d.history_id = ? and d.position between ? and ? and ${ABANDONED}) as "hasUnknown",
         exists (select 1 from delivery_ranges r where r.history_id = ? and r.first_position <> ? and ${FREE}) as "hasMore"`,
      [sendId, from, charged - begun, userId, sendId, from, to, sendId, from],
    );
    return found!;
  }

  /**
   * Queues ranges for the messages of a send whose time to be tried again has come or whose worker is gone: a cursor behind their end says that
   * they were gone through before. @returns whether any range of the send is free
   */
  async openRetries(sendId: string): Promise<boolean> {
    const size = this.tuning.range;
    const [found] = await rows<{ isOpen: boolean }>(
      this.em.fork(),
      `with send as materialized (${GOES_ON}), due as (
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
}

const WAITING = `
  with free as (
    select r.history_id, min(r.first_position) as reached from delivery_ranges r where ${FREE} group by r.history_id
  ), open as (
    select h.id, h.user_id, h.recipient_count <= ?::int as is_small, h.sent_at, f.reached
    from free f join email_history h on h.id = f.history_id where h.status = 'pending' and h.paused_at is null and h.cancelled_at is null
  ), sends as (
    select distinct on (user_id, is_small) * from open order by user_id, is_small, reached, sent_at
  ), clock as (
    select coalesce(max(turn_started), 0) as now from delivery_shares
  ), ranked as (
    select s.*, coalesce(d.virtual_time, 0) as virtual_time, c.now, row_number() over (partition by s.is_small order by greatest(coalesce(d.virtual_time, 0), c.now), s.sent_at) as place
    from sends s cross join clock c left join delivery_shares d on d.user_id = s.user_id
  )
  select id as "sendId", user_id as "userId", is_small as "isSmall", virtual_time as "virtualTime", now as clock from ranked where place <= ?::int order by place`;

const LEASE = `
  with next as (
    select r.history_id, r.first_position from delivery_ranges r where r.history_id = (${GOES_ON}) and ${FREE} order by r.first_position limit 1 for update skip locked
  ), mine as (
    update delivery_ranges r set leased_until = now() + make_interval(secs => ?), leased_by = ?::uuid from next
    where r.history_id = next.history_id and r.first_position = next.first_position
    returning r.first_position, r.last_position, case when r.next_position > r.last_position then ?::int else r.last_position - r.next_position + 1 end as charged
  ), charged as (
    insert into delivery_shares as s (user_id, virtual_time, turn_started, served_at) select ?, ?::float8 + charged, ?::float8, now() from mine
    on conflict (user_id) do update set virtual_time = greatest(s.virtual_time, excluded.turn_started) + excluded.virtual_time - excluded.turn_started,
      turn_started = greatest(s.turn_started, excluded.turn_started), served_at = excluded.served_at
  )
  select m.first_position as "from", m.last_position as "to", m.charged,
    exists (select 1 from delivery_ranges r where r.history_id = ? and r.first_position <> m.first_position and ${FREE}) as "hasMore" from mine m`;
