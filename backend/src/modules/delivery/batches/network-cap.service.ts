import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../../shared/config/settings.js';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { UTC_TODAY } from '../../../shared/database/queries/columns.js';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { removeOld, type RetentionRule } from '../../../shared/retention/retention.js';
import { mailboxHashSql } from '../../auth/index.js';
import { LateReasons } from '../audience/late-reasons.js';

/** A delivery over the shared network that is about to be sent. */
export interface NetworkCandidate {
  deliveryId: string;
  addressHash: Uint8Array;
}

/** Days that count as recent when senders compete for the last slot. */
const RECENT_DAYS = 7;
export const NETWORK_MAIL_RETENTION: RetentionRule = {
  table: 'network_mails',
  by: 'day',
  where: `t.day < ${UTC_TODAY} - ${RECENT_DAYS}`,
};
const HOUR_MS = 3_600_000;
/**
 * Maximum open deliveries to one person that compete for a slot. Comparing all of them would cost as much as there are
 * senders. Any subset is correct: each slot is taken once, and a delivery that stepped back no longer competes, so that
 * no slot stays empty. Only the order becomes arbitrary, and only with more than 50 senders to the same person on one
 * day.
 */
const MAX_CONTENDERS = 50;

/**
 * Enforces the network's daily cap: at most NETWORK_DAILY_CAP mails a day (UTC, by the database's clock) to one address
 * from all senders together. If slots are scarce, the sender who reached the address less often in recent days has
 * priority. Decides when a delivery is about to leave rather than at expansion, because the cap counts the day of
 * sending, and because slots reserved at expansion would be lost if the send is paused or cancelled or the recipient
 * unsubscribes.
 */
@Injectable()
export class NetworkCap implements OnModuleInit {
  private readonly log = new Logger(NetworkCap.name);

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly runner: SingleRunner,
    private readonly lateReasons: LateReasons,
  ) {}

  onModuleInit(): void {
    this.lateReasons.add((userId) => ({
      code: 'networkCap',
      only: 'j.masked',
      addresses: {
        sql: `select m.address_hash as email_hash from network_mails m where m.day = ${UTC_TODAY} group by m.address_hash
          having count(*) >= ?::int or bool_or(m.sender_id <> ?::uuid and m.sender_mailbox = ${mailboxHashSql('?::uuid')})`,
        params: [this.settings.networkDailyCap, userId, userId],
      },
    }));
  }

  /**
   * Takes a slot for each delivery that may have one. A delivery keeps a slot that it holds from an earlier try.
   * @returns ids of the deliveries that may go out today
   */
  async take(candidates: readonly NetworkCandidate[]): Promise<Set<string>> {
    const granted = new Set<string>();
    // The loop ends, because each slot that another instance wins leaves one slot less.
    for (let open = candidates; open.length > 0;) {
      const asked = JSON.stringify(
        open.map(({ deliveryId, addressHash }) => ({ id: deliveryId, hash: Buffer.from(addressHash).toString('hex') })),
      );
      const cap = this.settings.networkDailyCap;
      const found = await inTransaction(this.em, async (em) => {
        await rows(em, LOCK_ADDRESSES, [asked]);
        return rows<{ id: string; granted: boolean; again: boolean }>(em, RESERVE_SLOTS, [asked, cap, cap]);
      });
      for (const row of found) if (row.granted) granted.add(row.id);
      const again = new Set(found.filter((row) => row.again).map((row) => row.id));
      open = open.filter(({ deliveryId }) => again.has(deliveryId));
    }
    return granted;
  }

  /** Reason that the log shows for a skipped delivery. */
  get reason(): string {
    const cap = this.settings.networkDailyCap;
    return `The network's daily limit for this address is reached (${cap} ${cap === 1 ? 'email' : 'emails'} a day from all senders together)`;
  }

  @Interval(HOUR_MS)
  async purge(): Promise<void> {
    await this.runner
      .run('sending.network-purge', async () => {
        await removeOld(this.em.fork(), NETWORK_MAIL_RETENTION);
      })
      .catch((error: unknown) =>
        this.log.error({ err: error, code: 'network_places_not_purged' }, 'old network quotas could not be removed'),
      );
  }
}

/**
 * Serialises the decisions on one address over all instances. Concurrently, two deliveries could each step back for the
 * other and leave a slot empty. Parameter: candidates as JSON.
 */
const LOCK_ADDRESSES = `
  select pg_advisory_xact_lock(20261121, key) from (
    select distinct ('x' || substr(w.hash, 1, 8))::bit(32)::int as key from jsonb_to_recordset(?::jsonb) as w(hash text) order by 1
  ) addresses`;

/**
 * SQL condition: another account with the same mailbox holds a slot for this address today.
 * @param row alias with the columns address_hash, today, user_id, mailbox
 */
function siblingHolds(row: string): string {
  return `exists (select 1 from network_mails m where m.address_hash = ${row}.address_hash and m.day = ${row}.today and m.sender_id <> ${row}.user_id and m.sender_mailbox = ${row}.mailbox)`;
}

/**
 * Reserves slots. Accounts of one mailbox are one sender: they count together, and once one of them holds a slot, the
 * others get none that day. `ahead` is the number of slots that other open deliveries to the address would take first.
 * Only deliveries that hold no slot today and have not stepped back count for `ahead`. `ahead` is evaluated only while
 * a slot is free. Parameters: candidates as JSON, cap, cap.
 */
export const RESERVE_SLOTS = `
  with candidate as materialized (
    select d.id, d.contact_id, d.user_id, decode(w.hash, 'hex') as address_hash, ${UTC_TODAY} as today, ${mailboxHashSql('d.user_id')} as mailbox
    from jsonb_to_recordset(?::jsonb) as w(id uuid, hash text) join email_delivery_logs d on d.id = w.id
  ), standing as materialized (
    select candidate.*,
      exists (select 1 from network_mails m where m.delivery_id = candidate.id and m.day = candidate.today) as has_place,
      (select min(s) from generate_series(1, ?::int) s
       where not exists (select 1 from network_mails m where m.address_hash = candidate.address_hash and m.day = candidate.today and m.slot = s)) as slot,
      ?::int - (select count(*) from network_mails m where m.address_hash = candidate.address_hash and m.day = candidate.today) as free,
      ${siblingHolds('candidate')} as sibling_holds
    from candidate
  ), contested as materialized (
    select distinct contact_id, address_hash, today from standing where not has_place and free > 0 and not sibling_holds
  ), waiting as (
    select r.id, r.contact_id, r.user_id, r.created_at, s.address_hash, s.today
    from contested s cross join lateral (
      select d.id, d.contact_id, d.user_id, d.created_at from email_delivery_logs d
      where d.contact_id = s.contact_id and d.masked and d.status in ('queued', 'sending', 'deferred') and d.metadata->>'steppedBack' is null
        and not exists (select 1 from network_mails m where m.delivery_id = d.id and m.day = s.today)
      limit ${MAX_CONTENDERS}) r
    union
    select r.id, r.contact_id, r.user_id, r.created_at, s.address_hash, s.today
    from contested s join candidate w on w.contact_id = s.contact_id join email_delivery_logs r on r.id = w.id
    where r.masked and r.status in ('queued', 'sending', 'deferred') and not exists (select 1 from network_mails m where m.delivery_id = r.id and m.day = s.today)
  ), contender as materialized (
    select w.*, ${mailboxHashSql('w.user_id')} as mailbox from waiting w
  ), sender as (
    select c.*, (select count(*) from network_mails m where m.address_hash = c.address_hash and (m.sender_id = c.user_id or m.sender_mailbox = c.mailbox) and m.day > c.today - ${RECENT_DAYS}) as recent
    from (select distinct contact_id, address_hash, today, user_id, mailbox from contender) c
    where not ${siblingHolds('c')}
  ), placed as (
    select c.id, c.contact_id, c.created_at, s.recent, coalesce(encode(s.mailbox, 'hex'), s.user_id::text) as mailbox,
           row_number() over (partition by c.contact_id, c.user_id order by c.created_at, c.id) as nth
    from contender c join sender s on s.contact_id = c.contact_id and s.user_id = c.user_id
  ), counted as (
    select id, contact_id, created_at, recent, row_number() over (partition by contact_id, mailbox, nth order by recent, created_at, id) = 1 as counts from placed
  ), ranked as (
    select id, count(*) filter (where counts) over (partition by contact_id order by recent, created_at, id rows between unbounded preceding and 1 preceding) as ahead from counted
  ), judged as (
    select s.*, coalesce(r.ahead, 0) as ahead, not s.has_place and s.slot is not null and not s.sibling_holds and coalesce(r.ahead, 0) < s.free as may_take
    from standing s left join ranked r on r.id = s.id
  ), taken as (
    insert into network_mails (address_hash, day, slot, delivery_id, sender_id, sender_mailbox)
    select address_hash, today, slot, id, user_id, mailbox from judged where may_take order by address_hash, id
    on conflict do nothing returning delivery_id
  ), stepped_back as (
    update email_delivery_logs d set metadata = coalesce(d.metadata, '{}'::jsonb) || '{"steppedBack": true}'::jsonb
    from judged j where d.id = j.id and not j.has_place and j.free > 0 and not j.may_take
  )
  select j.id, j.has_place or t.delivery_id is not null as granted, j.may_take and t.delivery_id is null as again
  from judged j left join taken t on t.delivery_id = j.id`;
