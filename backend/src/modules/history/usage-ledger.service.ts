import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { UsageCounter } from '../../shared/usage/usage-counter.js';

/** A day of a user, and how long it still lasts. */
export interface UsageDay {
  date: string;
  timeZone: string;
  emailsSent: number;
  secondsLeft: number;
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

/** The day's counter of sends; every change is one guarded statement. */
@Injectable()
export class UsageLedger extends UsageCounter {
  constructor(private readonly em: EntityManager) {
    super();
  }

  async sentToday(userId: string, timeZone: string): Promise<number> {
    return (await this.today(this.em, userId, timeZone)).emailsSent;
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

  async today(em: EntityManager, userId: string, timeZone: string): Promise<UsageDay> {
    const [day] = await rows<{ date: string; time_zone: string; emails_sent: number; seconds_left: number }>(em, TODAY, [userId, timeZone, userId]);
    return { date: day!.date, timeZone: day!.time_zone, emailsSent: day!.emails_sent, secondsLeft: Math.max(1, day!.seconds_left) };
  }

  /**
   * Counts one send within the caller's transaction.
   * @returns the day it was counted on, or null where the limit (null: none) is reached
   */
  async reserve(em: EntityManager, userId: string, timeZone: string, dailyLimit: number | null): Promise<string | null> {
    const { date, timeZone: zone } = await this.today(em, userId, timeZone);
    await changed(em, `insert into usage_tracking (user_id, date, time_zone) values (?, ?, ?) on conflict (user_id, date) do nothing`, [userId, date, zone]);
    const counted = await changed(
      em,
      `update usage_tracking set emails_sent = emails_sent + 1 where user_id = ? and date = ? and (?::int is null or emails_sent + 1 <= ?::int)`,
      [userId, date, dailyLimit, dailyLimit],
    );
    return counted === 1 ? date : null;
  }

  /** Gives a send back that never went out at all. */
  async release(em: EntityManager, userId: string, date: string): Promise<void> {
    await changed(em, `update usage_tracking set emails_sent = emails_sent - 1 where user_id = ? and date = ? and emails_sent > 0`, [userId, date]);
  }

  /** Counts a send again that was given back and goes out after all; never refused, it was accepted on that day. */
  async retake(em: EntityManager, userId: string, date: string): Promise<void> {
    await changed(em, `update usage_tracking set emails_sent = emails_sent + 1 where user_id = ? and date = ?`, [userId, date]);
  }
}
