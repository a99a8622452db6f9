import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../shared/config/settings.js';
import { changed, rows } from '../../shared/database/rows.js';
import { SingleRunner } from '../../shared/database/single-runner.js';

/** A delivery to the network whose turn has come. */
export interface NetworkWish {
  deliveryId: string;
  addressHash: Uint8Array;
}

/** Days that count as recent when two senders want the last place. */
const RECENT_DAYS = 7;
const HOUR_MS = 3_600_000;

/**
 * The network's daily cap: at most NETWORK_DAILY_CAP mails a day (UTC, the database's clock) to one address, all senders
 * together. Where places are short, the sender who reached the address less often in the last days goes first.
 */
@Injectable()
export class NetworkCap {
  private readonly log = new Logger(NetworkCap.name);

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly runner: SingleRunner,
  ) {}

  /**
   * Takes a place for each delivery that gets one; one that holds a place already (an earlier try) keeps it.
   * @returns the deliveries that may go out today
   */
  async take(wishes: readonly NetworkWish[]): Promise<Set<string>> {
    const granted = new Set<string>();
    // A place lost to another instance leaves one place less each time, so this ends.
    for (let open = wishes; open.length > 0; ) {
      const asked = JSON.stringify(open.map(({ deliveryId, addressHash }) => ({ id: deliveryId, hash: Buffer.from(addressHash).toString('hex') })));
      const cap = this.settings.networkDailyCap;
      const found = await this.em.fork().transactional(async (em) => {
        await rows(em as EntityManager, ONE_AFTER_ANOTHER, [asked]);
        return rows<{ id: string; granted: boolean; again: boolean }>(em as EntityManager, TAKE, [asked, cap, cap]);
      });
      for (const row of found) if (row.granted) granted.add(row.id);
      const again = new Set(found.filter((row) => row.again).map((row) => row.id));
      open = open.filter(({ deliveryId }) => again.has(deliveryId));
    }
    return granted;
  }

  /** What a skipped delivery's log says. */
  get reason(): string {
    const cap = this.settings.networkDailyCap;
    return `The network's daily limit for this address is reached (${cap} ${cap === 1 ? 'email' : 'emails'} a day from all senders together)`;
  }

  @Interval(HOUR_MS)
  async purge(): Promise<void> {
    await this.runner
      .run('sending.network-purge', async () => {
        await changed(this.em.fork(), `delete from network_mails where day < (now() at time zone 'UTC')::date - ${RECENT_DAYS}`);
      })
      .catch((error: unknown) => this.log.error({ err: error }, 'old network places could not be removed'));
  }
}

const recentOf = (sender: string): string =>
  `(select count(*) from network_mails m where m.address_hash = wish.address_hash and m.sender_id = ${sender} and m.day > wish.today - ${RECENT_DAYS})`;

/**
 * Judged side by side, two deliveries could each step back for the other and leave a place empty: those to one address are
 * judged one after another, on all instances. Parameter: wishes as JSON.
 */
const ONE_AFTER_ANOTHER = `
  select pg_advisory_xact_lock(20261121, key) from (
    select distinct ('x' || substr(w.hash, 1, 8))::bit(32)::int as key from jsonb_to_recordset(?::jsonb) as w(hash text) order by 1
  ) addresses`;

/**
 * `ahead`: other open deliveries to the same person that hold no place today, come first, and have not stepped back
 * themselves. Parameters: wishes as JSON, cap, cap.
 */
const TAKE = `
  with wish as (
    select d.id, d.contact_id, d.user_id, d.created_at, decode(w.hash, 'hex') as address_hash, (now() at time zone 'UTC')::date as today
    from jsonb_to_recordset(?::jsonb) as w(id uuid, hash text) join email_delivery_logs d on d.id = w.id
  ), standing as (
    select wish.*,
      exists (select 1 from network_mails m where m.delivery_id = wish.id and m.day = wish.today) as has_place,
      (select min(s) from generate_series(1, ?::int) s
       where not exists (select 1 from network_mails m where m.address_hash = wish.address_hash and m.day = wish.today and m.slot = s)) as slot,
      ?::int - (select count(*) from network_mails m where m.address_hash = wish.address_hash and m.day = wish.today) as free,
      (select count(*) from email_delivery_logs r
       where r.contact_id = wish.contact_id and r.masked and r.status in ('queued', 'sending', 'deferred') and r.id <> wish.id
         and r.metadata->>'steppedBack' is null
         and not exists (select 1 from network_mails m where m.delivery_id = r.id and m.day = wish.today)
         and (${recentOf('r.user_id')}, r.created_at, r.id) < (${recentOf('wish.user_id')}, wish.created_at, wish.id)) as ahead
    from wish
  ), judged as (
    select *, not has_place and slot is not null and ahead < free as may_take from standing
  ), taken as (
    insert into network_mails (address_hash, day, slot, delivery_id, sender_id)
    select address_hash, today, slot, id, user_id from judged where may_take order by address_hash, id
    on conflict do nothing returning delivery_id
  ), stepped_back as (
    update email_delivery_logs d set metadata = coalesce(d.metadata, '{}'::jsonb) || '{"steppedBack": true}'::jsonb
    from judged j where d.id = j.id and not j.has_place and j.free > 0 and j.ahead >= j.free
  )
  select j.id, j.has_place or t.delivery_id is not null as granted, j.may_take and t.delivery_id is null as again
  from judged j left join taken t on t.delivery_id = j.id`;
