import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';
import { UsageCounter } from '../../shared/usage/usage-counter.js';
import { type LimitScope, mailboxHashSql } from '../auth/index.js';
import { HeldPlaces, type HeldPlacesOfDay } from './held-places.registry.js';

/** One day of a user, with the number of sends counted on it and the seconds until it ends. */
export interface UsageDay {
  date: string;
  timeZone: string;
  emailsSent: number;
  secondsLeft: number;
}

/** Whether a send must not use the part of the day's limit that is reserved for scheduled sends. */
export type Holds = 'respect' | 'ignore';

/** How many sends an account may make per day (null: unlimited), and whose sends count towards that limit. */
export interface DailyLimit {
  dailyLimit: number | null;
  limitScope: LimitScope;
}

/**
 * SQL of a user's current day. A day stays open until it ends in the time zone in which it was opened, so that changing
 * the time zone opens no second day.
 */
const TODAY = `
  with open_day as (
    select date, time_zone, emails_sent from usage_tracking
    where user_id = ? and date between current_date - 2 and current_date + 2
      and now() >= (date::timestamp at time zone time_zone) and now() < ((date + 1)::timestamp at time zone time_zone)
    order by date limit 1
  ), today as (
    select date, time_zone from open_day
    union all
    select (now() at time zone zone.name)::date, zone.name from (select ?::text as name) zone where not exists (select 1 from open_day)
  )
  select to_char(today.date, 'YYYY-MM-DD') as date, today.time_zone,
    coalesce((select emails_sent from usage_tracking u where u.user_id = ? and u.date = today.date), 0) as emails_sent,
    ceil(extract(epoch from ((today.date + 1)::timestamp at time zone today.time_zone) - now()))::int as seconds_left
  from today`;

/** SQL of the day of a later time: the open day if it has not ended by then, else the day in the user's time zone. */
const DAY_AT = `
  with open_day as (
    select date, time_zone from usage_tracking
    where user_id = ? and date between current_date - 2 and current_date + 2
      and now() >= (date::timestamp at time zone time_zone) and ?::timestamptz < ((date + 1)::timestamp at time zone time_zone)
    order by date limit 1
  ), day as (
    select date, time_zone from open_day
    union all
    select (?::timestamptz at time zone zone.name)::date, zone.name from (select ?::text as name) zone where not exists (select 1 from open_day)
  )
  select to_char(day.date, 'YYYY-MM-DD') as date, day.time_zone,
    coalesce((select emails_sent from usage_tracking u where u.user_id = ? and u.date = day.date), 0) as emails_sent,
    ceil(extract(epoch from ((day.date + 1)::timestamp at time zone day.time_zone) - now()))::int as seconds_left
  from day`;

const IS_OPEN = `now() >= (m.date::timestamp at time zone m.time_zone) and now() < ((m.date + 1)::timestamp at time zone m.time_zone)`;

/**
 * SQL of the number of sends of all accounts of a mailbox, including deleted accounts. Counts the given day and each
 * day that is open: running now, in the time zone in which it was opened. `seconds_left` is the time until the last of
 * these days with a send ends. Parameters: user, date.
 */
const OF_MAILBOX = `
  select coalesce(sum(m.emails_sent), 0)::int as emails_sent,
    ceil(extract(epoch from max(case when m.emails_sent > 0 then (m.date + 1)::timestamp at time zone m.time_zone end) - now()))::int as seconds_left
  from mailbox_usage m
  where m.mailbox_hash = ${mailboxHashSql('?')} and m.date between current_date - 2 and current_date + 2 and (m.date = ?::date or (${IS_OPEN}))`;

/**
 * Daily send counters, one per account and one per mailbox, each changed by one guarded statement. The mailbox's
 * counter outlives accounts, so that deleting an account and registering again does not reset it.
 */
@Injectable()
export class UsageLedger extends UsageCounter {
  constructor(
    private readonly em: EntityManager,
    private readonly heldPlaces: HeldPlaces,
  ) {
    super();
  }

  async sentToday(userId: string, timeZone: string, scope: LimitScope = 'account'): Promise<number> {
    return (await this.today(this.em, userId, timeZone, scope)).emailsSent;
  }

  async heldToday(userId: string, timeZone: string, scope: LimitScope = 'account'): Promise<number> {
    return (await this.held(this.em, userId, scope, await this.today(this.em, userId, timeZone, scope))).count;
  }

  /** How many sends of the day's limit are reserved for scheduled sends. */
  held(em: EntityManager, userId: string, scope: LimitScope, day: UsageDay): Promise<HeldPlacesOfDay> {
    return this.heldPlaces.of(em, userId, scope, day);
  }

  /** Number of sends today of many users; users who sent nothing may be missing. */
  async sentTodayOf(userIds: readonly string[]): Promise<Map<string, number>> {
    const found = await rows<{ userId: string; sent: number }>(
      this.em.fork(),
      `select distinct on (user_id) user_id as "userId", emails_sent as sent from usage_tracking
       where user_id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and date between current_date - 2 and current_date + 2
         and now() >= (date::timestamp at time zone time_zone) and now() < ((date + 1)::timestamp at time zone time_zone)
       order by user_id, date`,
      [JSON.stringify(userIds)],
    );
    return new Map(found.map(({ userId, sent }) => [userId, sent]));
  }

  /** @param scope whose sends are counted; the day itself is always the account's */
  async today(em: EntityManager, userId: string, timeZone: string, scope: LimitScope = 'account'): Promise<UsageDay> {
    const [day] = await rows<DayRow>(em, TODAY, [userId, timeZone, userId]);
    const [mailbox] = scope === 'mailbox' ? await rows<DayCount>(em, OF_MAILBOX, [userId, day!.date]) : [];
    return dayOf(day!, mailbox);
  }

  /** The day on which a send at a later time will be counted, with the sends counted on it so far. */
  async dayAt(
    em: EntityManager,
    userId: string,
    timeZone: string,
    at: Date,
    scope: LimitScope = 'account',
  ): Promise<UsageDay> {
    const [day] = await rows<DayRow>(em, DAY_AT, [userId, at, at, timeZone, userId]);
    const [mailbox] =
      scope === 'mailbox'
        ? await rows<DayCount>(
            em,
            `select m.emails_sent, 0 as seconds_left from mailbox_usage m where m.mailbox_hash = ${mailboxHashSql('?')} and m.date = ?::date`,
            [userId, day!.date],
          )
        : [];
    return dayOf(day!, mailbox);
  }

  /** Locks the daily counts of all accounts that share the user's mailbox, until the transaction ends. */
  async lock(em: EntityManager, userId: string): Promise<void> {
    await rows(
      em,
      `select pg_advisory_xact_lock(hashtextextended('usage:' || encode(${mailboxHashSql('?')}, 'hex'), 0))`,
      [userId],
    );
  }

  /**
   * Counts one send within the caller's transaction. Serialises the accounts of one mailbox.
   * @param holds respect: the part of the limit that is reserved for scheduled sends stays unused; ignore: for a
   * scheduled send itself
   * @returns the day on which the send was counted; null if `dailyLimit` is reached
   */
  async reserve(
    em: EntityManager,
    userId: string,
    timeZone: string,
    { dailyLimit, limitScope }: DailyLimit,
    holds: Holds = 'respect',
  ): Promise<string | null> {
    await this.lock(em, userId);
    const today = await this.today(em, userId, timeZone, limitScope);
    const { date, timeZone: zone, emailsSent } = today;
    if (dailyLimit !== null) {
      const held = holds === 'ignore' ? 0 : (await this.held(em, userId, limitScope, today)).count;
      if (emailsSent + held + 1 > dailyLimit) return null;
    }
    await changed(
      em,
      `insert into usage_tracking (user_id, date, time_zone) values (?, ?, ?) on conflict (user_id, date) do nothing`,
      [userId, date, zone],
    );
    const counted = await changed(
      em,
      `update usage_tracking set emails_sent = emails_sent + 1 where user_id = ? and date = ? and (?::int is null or emails_sent + 1 <= ?::int)`,
      [userId, date, dailyLimit, dailyLimit],
    );
    if (counted !== 1) return null;
    await changed(
      em,
      `insert into mailbox_usage as m (mailbox_hash, date, time_zone, emails_sent) select u.hash, ?, ?, 1 from (select ${mailboxHashSql('?')} as hash) u where u.hash is not null
       on conflict (mailbox_hash, date) do update set emails_sent = m.emails_sent + 1`,
      [date, zone, userId],
    );
    return date;
  }

  /** Undoes the count of a send if no message of it went out. */
  async release(em: EntityManager, userId: string, date: string): Promise<void> {
    await changed(
      em,
      `update usage_tracking set emails_sent = emails_sent - 1 where user_id = ? and date = ? and emails_sent > 0`,
      [userId, date],
    );
    await changed(
      em,
      `update mailbox_usage set emails_sent = emails_sent - 1 where mailbox_hash = ${mailboxHashSql('?')} and date = ? and emails_sent > 0`,
      [userId, date],
    );
  }

  /**
   * Counts a send again that was no longer counted but now goes out. Never refused, because the send was accepted on
   * that day.
   */
  async recount(em: EntityManager, userId: string, date: string): Promise<void> {
    await changed(em, `update usage_tracking set emails_sent = emails_sent + 1 where user_id = ? and date = ?`, [
      userId,
      date,
    ]);
    await changed(
      em,
      `update mailbox_usage set emails_sent = emails_sent + 1 where mailbox_hash = ${mailboxHashSql('?')} and date = ?`,
      [userId, date],
    );
  }
}

interface DayCount {
  emails_sent: number;
  seconds_left: number;
}

interface DayRow extends DayCount {
  date: string;
  time_zone: string;
}

const dayOf = (day: DayRow, mailbox: DayCount | undefined): UsageDay => ({
  date: day.date,
  timeZone: day.time_zone,
  emailsSent: Math.max(day.emails_sent, mailbox?.emails_sent ?? 0),
  secondsLeft: Math.max(1, day.seconds_left, mailbox?.seconds_left ?? 0),
});
