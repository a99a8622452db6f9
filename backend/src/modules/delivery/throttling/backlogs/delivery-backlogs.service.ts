import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../../shared/database/queries/rows.js';
import { BY_ID, type Claim } from '../../batches/delivery-claims.service.js';

/** A backlog that this worker has leased; see `DeliveryBacklogs.lease`. */
export interface LeasedBacklog {
  sendId: string;
  /** Account holder of the send. Slots are shared out per account holder. */
  userId: string;
  waiting: number;
}

/** The next positions of a backlog. */
export interface BacklogSlice {
  partId: string;
  taken: number;
  positions: number[];
}

/** Seconds after which a lease ends without renewal. The backlogs of a killed worker are untouched for that long. */
export const BACKLOG_LEASE_SECONDS = 3;
/** Seconds between two checks of a paused send's backlog. Resuming the send wakes it earlier. */
const PAUSED_SECONDS = 300;
/** Advisory lock per provider, because workers that choose backlogs concurrently do not see each other's choice. */
const BACKLOG_LOCK = 20261122;

/** CTEs that add the rows `parked (provider, positions)` of a send to its backlogs. Parameters: send, send, account. */
const ADD = `parts as (
    insert into delivery_backlog_parts (history_id, provider, first_position, positions) select ?::uuid, provider, positions[1], positions from parked where positions[1] is not null
  ), backlogs as (
    insert into delivery_backlogs as b (history_id, provider, account, waiting)
    select ?::uuid, provider, ?, cardinality(positions) from parked where positions[1] is not null order by provider
    on conflict (history_id, provider) do update set waiting = b.waiting + excluded.waiting, wake_at = least(b.wake_at, now()), account = excluded.account)`;

/**
 * Stores which mail waits for its mailbox provider, as positions, so that the deliveries themselves are neither written
 * nor read meanwhile. To avoid deadlocks, a statement that locks several backlogs locks them in the order of send and
 * provider, or skips locked ones.
 */
@Injectable()
export class DeliveryBacklogs {
  constructor(private readonly em: EntityManager) {}

  /**
   * Moves a range's cursor to `nextPosition`, and the waiting positions before it to their backlogs, in one statement.
   * Does nothing if another worker has already moved the cursor, because that worker has handled the same positions.
   */
  async advance(
    range: { sendId: string; from: number },
    cursor: number,
    nextPosition: number,
    account: string,
    parked: ReadonlyMap<string, readonly number[]>,
  ): Promise<void> {
    await rows(
      this.em,
      `with went as (
         update delivery_ranges set next_position = ?::int where history_id = ? and first_position = ?::int and next_position = ?::int returning 1
       ), parked as (
         select p.provider, p.positions from jsonb_to_recordset(?::jsonb) as p(provider text, positions int[]) where exists (select 1 from went)
       ), ${ADD}
       select count(*) from went`,
      [
        nextPosition,
        range.sendId,
        range.from,
        cursor,
        JSON.stringify([...parked].map(([provider, positions]) => ({ provider, positions }))),
        range.sendId,
        range.sendId,
        account,
      ],
    );
  }

  /**
   * Moves claims to the backlogs of their providers. Claims of other workers stay unchanged.
   * @param state marked: this worker has marked the claims; due: they are due retries that no worker has marked
   */
  async park(sendId: string, claims: readonly Claim[], state: 'marked' | 'due', account: string): Promise<void> {
    if (claims.length === 0) return;
    await rows(
      this.em,
      `with back as (
         update email_delivery_logs d
         set status = case when d.status = 'sending' then 'queued' else d.status end, transmitting = false, lease_until = null, next_attempt_at = null
         from jsonb_to_recordset(?::jsonb) as c(id uuid, attempt int, provider text)
         where d.id = c.id and ${BY_ID(state === 'marked' ? `d.status = 'sending' and d.attempt = c.attempt` : `d.status in ('queued', 'deferred') and d.attempt = c.attempt - 1 and d.next_attempt_at is not null`)}
         returning d.position, c.provider
       ), parked as (
         select provider, array_agg(position order by position) as positions from back group by provider
       ), ${ADD}
       select 1`,
      [JSON.stringify(claims.map(({ id, attempt, provider }) => ({ id, attempt, provider }))), sendId, sendId, account],
    );
  }

  /** Adds positions to backlogs. The positions may already be in another backlog of the send. */
  async add(sendId: string, parked: ReadonlyMap<string, readonly number[]>, account: string): Promise<void> {
    await rows(
      this.em,
      `with parked as (select p.provider, p.positions from jsonb_to_recordset(?::jsonb) as p(provider text, positions int[])), ${ADD} select 1`,
      [JSON.stringify([...parked].map(([provider, positions]) => ({ provider, positions }))), sendId, sendId, account],
    );
  }

  /**
   * Lists the providers of backlogs that may be served now, which excludes the backlogs of paused sends. `waiting`:
   * providers with waiting mail, whether leased or not. `due`: providers with an unleased backlog, even an empty one,
   * which then has to be removed.
   */
  async providers(): Promise<{ waiting: string[]; due: string[] }> {
    const found = await rows<{ provider: string; isWaiting: boolean; isDue: boolean }>(
      this.em.fork(),
      `select provider, bool_or(waiting > 0) as "isWaiting", bool_or(leased_until is null or leased_until < now()) as "isDue"
       from delivery_backlogs where wake_at <= now() group by provider order by min(coalesce(served_at, '-infinity'))`,
    );
    return {
      waiting: found.filter(({ isWaiting }) => isWaiting).map(({ provider }) => provider),
      due: found.filter(({ isDue }) => isDue).map(({ provider }) => provider),
    };
  }

  /**
   * Leases up to `most` backlogs of a provider for this worker: one per account holder, the least recently served
   * first, and then the holders' further backlogs. Skips a holder that another worker is serving while others wait:
   * a holder with one send per worker would get nearly the whole rate. Postpones backlogs of stopped sends.
   * @returns the leased backlogs in the order in which to serve them; none while another worker is choosing
   */
  async lease(provider: string, most: number): Promise<LeasedBacklog[]> {
    const found = await rows<LeasedBacklog & { state: 'open' | 'paused' | 'over' }>(this.em.fork(), LEASE, [
      provider,
      provider,
      provider,
      most,
      BACKLOG_LEASE_SECONDS,
      PAUSED_SECONDS,
    ]);
    for (const { sendId, state } of found) if (state === 'over') await this.drop(sendId);
    return found.filter(({ state }) => state === 'open');
  }

  /**
   * Extends leases of this worker. A released lease stays released. A backlog that another worker has leased meanwhile
   * only stays leased a few seconds longer. Skips locked rows, because the next renewal comes in time.
   */
  async renew(leases: readonly { provider: string; sendId: string }[]): Promise<void> {
    if (leases.length === 0) return;
    await changed(
      this.em.fork(),
      `with own as materialized (
         select b.history_id, b.provider from delivery_backlogs b join jsonb_to_recordset(?::jsonb) as l(provider text, "sendId" uuid) on b.history_id = l."sendId" and b.provider = l.provider
         where b.leased_until is not null order by b.history_id, b.provider for update of b skip locked
       )
       update delivery_backlogs b set leased_until = now() + make_interval(secs => ?) from own where b.history_id = own.history_id and b.provider = own.provider`,
      [JSON.stringify(leases), BACKLOG_LEASE_SECONDS],
    );
  }

  async release(provider: string, sendIds: readonly string[]): Promise<void> {
    if (sendIds.length === 0) return;
    await changed(
      this.em.fork(),
      `with own as materialized (
         select history_id from delivery_backlogs where provider = ? and history_id in (select (jsonb_array_elements_text(?::jsonb))::uuid) order by history_id for update
       )
       update delivery_backlogs b set leased_until = null from own where b.history_id = own.history_id and b.provider = ?`,
      [provider, JSON.stringify(sendIds), provider],
    );
  }

  /** @returns the next positions of a leased backlog, all from one part; undefined if the backlog is empty */
  async next(sendId: string, provider: string, most: number): Promise<BacklogSlice | undefined> {
    const [slice] = await rows<BacklogSlice>(
      this.em.fork(),
      `select id as "partId", taken, to_jsonb(positions[taken + 1 : taken + ?::int]) as positions from delivery_backlog_parts
       where history_id = ? and provider = ? order by first_position limit 1`,
      [most, sendId, provider],
    );
    return slice;
  }

  /**
   * Records that the first `count` positions of a slice are done and ends the lease.
   * @returns whether the backlog is empty
   */
  async served(sendId: string, provider: string, { partId, taken }: BacklogSlice, count: number): Promise<boolean> {
    const [left] = await rows<{ isEmpty: boolean }>(
      this.em.fork(),
      `with moved as (
         update delivery_backlog_parts set taken = taken + ?::int where id = ? and taken = ? and taken + ?::int < cardinality(positions) returning 1
       ), done as (
         delete from delivery_backlog_parts where id = ? and taken = ? and taken + ?::int >= cardinality(positions) returning 1
       ), ended as (
         update delivery_backlogs set waiting = waiting - case when exists (select 1 from moved) or exists (select 1 from done) then ?::int else 0 end, served_at = now(), leased_until = null
         where history_id = ? and provider = ? returning waiting
       )
       select coalesce((select waiting <= 0 from ended), true) as "isEmpty"`,
      [count, partId, taken, count, partId, taken, count, count, sendId, provider],
    );
    return left!.isEmpty;
  }

  /** Sets the count of a backlog that has no parts left to zero. */
  async correct(sendId: string, provider: string, waiting: number): Promise<void> {
    await changed(
      this.em.fork(),
      `update delivery_backlogs set waiting = 0, leased_until = null where history_id = ? and provider = ? and waiting = ?
         and not exists (select 1 from delivery_backlog_parts p where p.history_id = delivery_backlogs.history_id and p.provider = delivery_backlogs.provider)`,
      [sendId, provider, waiting],
    );
  }

  /** Removes a backlog if it is empty. */
  async removeEmpty(sendId: string, provider: string): Promise<void> {
    await changed(
      this.em.fork(),
      `delete from delivery_backlogs where history_id = ? and provider = ? and waiting <= 0`,
      [sendId, provider],
    );
  }

  /** Leaves a backlog untouched for some seconds. */
  async postpone(sendId: string, provider: string, seconds: number): Promise<void> {
    await changed(
      this.em.fork(),
      `update delivery_backlogs set wake_at = now() + make_interval(secs => ?::float8) where history_id = ? and provider = ?`,
      [seconds, sendId, provider],
    );
  }

  /** Makes the backlogs of a resumed send due at once. */
  async wake(sendId: string): Promise<void> {
    await changed(
      this.em.fork(),
      `with asleep as materialized (select provider from delivery_backlogs where history_id = ? and wake_at > now() order by provider for update)
       update delivery_backlogs b set wake_at = now() from asleep where b.history_id = ? and b.provider = asleep.provider`,
      [sendId, sendId],
    );
  }

  /** Removes the backlogs of a cancelled or ended send. */
  async drop(sendId: string): Promise<void> {
    await changed(this.em.fork(), DROP, [sendId, sendId, sendId, sendId, sendId, sendId]);
  }
}

/**
 * Removes the backlogs of a send. Locks the removed rows in the order in which `advance`, `served` and ADD lock them:
 * ranges, parts, and then backlogs by provider. Parameter: send, six times.
 */
const DROP = `
  with own_ranges as materialized (
    select first_position from delivery_ranges where history_id = ? order by first_position for update
  ), own_parts as materialized (
    select id from delivery_backlog_parts where history_id = ? and (select count(*) from own_ranges) >= 0 order by id for update
  ), own as materialized (
    select provider from delivery_backlogs where history_id = ? and (select count(*) from own_parts) >= 0 order by provider for update
  ), ranges as (
    delete from delivery_ranges where history_id = ? and (select count(*) from own) >= 0
  ), parts as (
    delete from delivery_backlog_parts where history_id = ? and (select count(*) from own) >= 0
  )
  delete from delivery_backlogs where history_id = ? and (select count(*) from own) >= 0`;

const STATE = `case when h.status <> 'pending' or h.cancelled_at is not null then 'over' when h.paused_at is not null then 'paused' else 'open' end`;

/**
 * Leases backlogs and locks their sends. A concurrent resume comes either before and is seen here, or after and sees
 * what this statement wrote. Parameters: provider three times, maximum number, seconds of the lease, seconds of the
 * pause for a stopped send.
 */
const LEASE = `
  with choice as materialized (
    select pg_try_advisory_xact_lock(${BACKLOG_LOCK}, hashtext(?)) as is_mine
  ), due as (
    select b.history_id, b.created_at, b.served_at, h.user_id, coalesce(b.leased_until >= now(), false) as is_leased, ${STATE} as state
    from delivery_backlogs b join email_history h on h.id = b.history_id where b.provider = ? and b.wake_at <= now()
  ), holders as (
    select user_id, bool_or(is_leased) as is_served, max(served_at) as served_at, count(*) over () > 1 as is_contested from due where state = 'open' group by user_id
  ), ranked as (
    select d.*, h.served_at as holder_served_at, row_number() over (partition by d.user_id, d.state order by d.served_at nulls first, d.created_at) as place
    from due d left join holders h on h.user_id = d.user_id
    where not d.is_leased and (select is_mine from choice) and (d.state <> 'open' or not (h.is_contested and h.is_served))
  ), ordered as (
    select history_id, user_id, row_number() over (order by state <> 'open', place, holder_served_at nulls first, created_at) as turn from ranked
  ), next as (
    select b.history_id, b.provider, o.user_id, o.turn, ${STATE} as state
    from ordered o join delivery_backlogs b on b.history_id = o.history_id and b.provider = ? join email_history h on h.id = o.history_id
    where b.wake_at <= now() and (b.leased_until is null or b.leased_until < now())
    order by o.turn limit ? for update of b skip locked for share of h skip locked
  ), leased as (
    update delivery_backlogs b
    set leased_until = case when next.state = 'open' then now() + make_interval(secs => ?) end, wake_at = case when next.state = 'open' then b.wake_at else now() + make_interval(secs => ?) end
    from next where b.history_id = next.history_id and b.provider = next.provider
    returning b.history_id as "sendId", next.user_id as "userId", b.waiting, next.state, next.turn
  )
  select "sendId", "userId", waiting, state from leased order by turn`;
