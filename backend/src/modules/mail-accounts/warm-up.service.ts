import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../shared/database/queries/rows.js';
import { UTC_TODAY } from '../../shared/database/queries/columns.js';

/**
 * Daily quotas of the first week. Each later day allows 30 % more than the day before, and each hour a tenth of its
 * day's quota. Mailbox providers distrust a sudden volume from a new address; see decisions.md: warm-up.
 */
const FIRST_DAYS = [1000, 1500, 2000, 3000, 5000, 7000, 10_000];

/** Daily quota of day `day` of a warm-up, counted from 0. */
export function dayLimit(day: number): number {
  if (day < 0) return 0;
  return FIRST_DAYS[day] ?? Math.floor(FIRST_DAYS.at(-1)! * 1.3 ** Math.min(day - FIRST_DAYS.length + 1, 60));
}

export interface Quota {
  granted: number;
  pauseSeconds: number;
  /** The hour in which the messages are counted, as ISO text; null if the account has no quota. */
  hour: string | null;
}

/**
 * Enforces the daily quota of a mail account. A warm-up (`"warmUp": "2026-11-21"`) starts a quota that grows daily;
 * `messagesPerDay` sets a fixed quota (UTC). Counted in PostgreSQL over all workers. Messages over the quota stay
 * queued.
 */
@Injectable()
export class WarmUp {
  constructor(private readonly em: EntityManager) {}

  /**
   * Consumes quota for up to `messages` messages.
   * @returns how many messages were granted, and the seconds until more quota may be available
   */
  async take(accountId: string, messages: number): Promise<Quota> {
    return inTransaction(this.em, (em) => this.takeFrom(em, accountId, messages));
  }

  /** Returns quota that was consumed in an hour for messages that were not sent after all. */
  async giveBack(accountId: string, hour: string, messages: number): Promise<void> {
    await changed(
      this.em.fork(),
      `update provider_hours set messages = greatest(0, messages - ?::int) where provider_id = ? and hour = ?::timestamptz`,
      [messages, accountId, hour],
    );
  }

  private async takeFrom(em: EntityManager, id: string, messages: number): Promise<Quota> {
    // Serialises the workers that count messages of one account.
    await rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`warm-up:${id}`]);
    const [state] = await rows<{
      day: number | null;
      perDay: number | null;
      today: number;
      hour: number;
      hourStart: string;
      secondsLeft: number;
    }>(
      em,
      `select ${UTC_TODAY} - (p.config->>'warmUp')::date as day, (p.config->>'messagesPerDay')::int as "perDay",
         coalesce((select sum(messages) from provider_hours h where h.provider_id = p.id and h.hour >= date_trunc('day', now(), 'UTC')), 0)::int as today,
         coalesce((select messages from provider_hours h where h.provider_id = p.id and h.hour = date_trunc('hour', now())), 0)::int as hour,
         to_char(date_trunc('hour', now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "hourStart",
         extract(epoch from date_trunc('hour', now()) + interval '1 hour' - now())::float8 as "secondsLeft"
       from email_providers p where p.id = ? and (p.config->>'warmUp' is not null or p.config->>'messagesPerDay' is not null)`,
      [id],
    );
    if (!state) return { granted: messages, pauseSeconds: 0, hour: null };
    const warm = state.day === null ? Infinity : dayLimit(state.day);
    const granted = Math.max(
      0,
      Math.min(
        messages,
        warm - state.today,
        Math.ceil(warm / 10) - state.hour,
        (state.perDay ?? Infinity) - state.today,
      ),
    );
    if (granted > 0) {
      await changed(
        em,
        `insert into provider_hours as h (provider_id, hour, messages) values (?, date_trunc('hour', now()), ?)
         on conflict (provider_id, hour) do update set messages = h.messages + excluded.messages`,
        [id, granted],
      );
    }
    return { granted, pauseSeconds: state.secondsLeft + Math.random() * 30, hour: state.hourStart };
  }
}
