import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { UsageCounter } from '../../shared/usage/usage-counter.js';
import { type LimitScope, mailboxHashSql } from '../auth/index.js';

/** A day of a user, and how long it still lasts. */
export interface UsageDay {
  date: string;
  timeZone: string;
  emailsSent: number;
  secondsLeft: number;
}

/** What an account may send a day, and whose sends count. */
export interface DailyLimit {
  dailyLimit: number | null;
  limitScope: LimitScope;
}

/**
 * Today for a user: a day that was opened stays the day until it ends in the zone it was opened in, so that
 * changing the time zone never opens a second one (decisions.md D11).
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

const IS_OPEN = `now() >= (m.date::timestamp at time zone m.time_zone) and now() < ((m.date + 1)::timestamp at time zone m.time_zone)`;

/**
 * Sends of all accounts that share a mailbox, those deleted since among them, on the days of theirs that are open and on the given
 * one. Parameters: user, date.
 */
const OF_MAILBOX = `
  select coalesce(sum(m.emails_sent), 0)::int as emails_sent,
    ceil(extract(epoch from max(case when m.emails_sent > 0 then (m.date + 1)::timestamp at time zone m.time_zone end) - now()))::int as seconds_left
  from mailbox_usage m
  where m.mailbox_hash = ${mailboxHashSql('?')} and m.date between current_date - 2 and current_date + 2 and (m.date = ?::date or (${IS_OPEN}))`;

/**
 * The day's counters of sends, one of the account and one of its mailbox; every change is one guarded statement for each. That of the
 * mailbox names no account and outlives them: deleting an account and registering again opens no second day.
 */
@Injectable()
export class UsageLedger extends UsageCounter {
  constructor(private readonly em: EntityManager) {
    super();
  }

  async sentToday(userId: string, timeZone: string, scope: LimitScope = 'account'): Promise<number> {
    return (await this.today(this.em, userId, timeZone, scope)).emailsSent;
  }

  /** The same of many users at once; who is missing sent nothing. */
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

  /** @param scope whose sends are counted; the day is the account's */
  async today(em: EntityManager, userId: string, timeZone: string, scope: LimitScope = 'account'): Promise<UsageDay> {
    const [day] = await rows<{ date: string; time_zone: string } & DayCount>(em, TODAY, [userId, timeZone, userId]);
    const [mailbox] = scope === 'mailbox' ? await rows<DayCount>(em, OF_MAILBOX, [userId, day!.date]) : [];
    const emailsSent = Math.max(day!.emails_sent, mailbox?.emails_sent ?? 0);
    return { date: day!.date, timeZone: day!.time_zone, emailsSent, secondsLeft: Math.max(1, day!.seconds_left, mailbox?.seconds_left ?? 0) };
  }

  /**
   * Counts one send within the caller's transaction. Accounts that share a mailbox wait for each other here.
   * @returns the day it was counted on, or null where the limit (null: none) is reached
   */
  async reserve(em: EntityManager, userId: string, timeZone: string, { dailyLimit, limitScope }: DailyLimit): Promise<string | null> {
    await rows(em, `select pg_advisory_xact_lock(hashtextextended('usage:' || encode(${mailboxHashSql('?')}, 'hex'), 0))`, [userId]);
    const { date, timeZone: zone, emailsSent } = await this.today(em, userId, timeZone, limitScope);
    if (dailyLimit !== null && emailsSent + 1 > dailyLimit) return null;
    await changed(em, `insert into usage_tracking (user_id, date, time_zone) values (?, ?, ?) on conflict (user_id, date) do nothing`, [userId, date, zone]);
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

  /** Gives a send back that never went out at all. */
  async release(em: EntityManager, userId: string, date: string): Promise<void> {
    await changed(em, `update usage_tracking set emails_sent = emails_sent - 1 where user_id = ? and date = ? and emails_sent > 0`, [userId, date]);
    await changed(em, `update mailbox_usage set emails_sent = emails_sent - 1 where mailbox_hash = ${mailboxHashSql('?')} and date = ? and emails_sent > 0`, [userId, date]);
  }

  /** Counts a send again that was given back and goes out after all; never refused, it was accepted on that day. */
  async retake(em: EntityManager, userId: string, date: string): Promise<void> {
    await changed(em, `update usage_tracking set emails_sent = emails_sent + 1 where user_id = ? and date = ?`, [userId, date]);
    await changed(em, `update mailbox_usage set emails_sent = emails_sent + 1 where mailbox_hash = ${mailboxHashSql('?')} and date = ?`, [userId, date]);
  }
}

interface DayCount {
  emails_sent: number;
  seconds_left: number;
}
