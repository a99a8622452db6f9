import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { UTC_TODAY } from '../../shared/database/utc-day.js';

/** Messages a day in the first week; then each day three tenths more (guide/email.md §6). An hour takes a tenth of its day. */
const FIRST_DAYS = [1000, 1500, 2000, 3000, 5000, 7000, 10_000];

/** What an account may be given on its n-th day, from 0. */
export function dayLimit(day: number): number {
  if (day < 0) return 0;
  return FIRST_DAYS[day] ?? Math.floor(FIRST_DAYS.at(-1)! * 1.3 ** Math.min(day - FIRST_DAYS.length + 1, 60));
}

export interface Places {
  granted: number;
  pauseSeconds: number;
}

/**
 * What a mail account may be given: one whose configuration names the first day of its slow start (`"warmUp": "2026-11-21"`) a little
 * more each day, one with `messagesPerDay` so many (UTC). Counted in PostgreSQL, for all workers together; what is over waits, still queued.
 */
@Injectable()
export class WarmUp {
  constructor(private readonly em: EntityManager) {}

  /** Takes places for up to so many messages with an account. @returns how many got one, and the seconds until there may be more */
  async take(accountId: string, messages: number): Promise<Places> {
    return this.em.fork().transactional((em) => this.takeFrom(em as EntityManager, accountId, messages));
  }

  private async takeFrom(em: EntityManager, id: string, messages: number): Promise<Places> {
    // One worker at a time counts; the others wait a moment.
    await rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`warm-up:${id}`]);
    const [state] = await rows<{ day: number | null; perDay: number | null; today: number; hour: number; rest: number }>(
      em,
      `select ${UTC_TODAY} - (p.config->>'warmUp')::date as day, (p.config->>'messagesPerDay')::int as "perDay",
         coalesce((select sum(messages) from provider_hours h where h.provider_id = p.id and h.hour >= date_trunc('day', now(), 'UTC')), 0)::int as today,
         coalesce((select messages from provider_hours h where h.provider_id = p.id and h.hour = date_trunc('hour', now())), 0)::int as hour,
         extract(epoch from date_trunc('hour', now()) + interval '1 hour' - now())::float8 as rest
       from email_providers p where p.id = ? and (p.config->>'warmUp' is not null or p.config->>'messagesPerDay' is not null)`,
      [id],
    );
    if (!state) return { granted: messages, pauseSeconds: 0 };
    const warm = state.day === null ? Infinity : dayLimit(state.day);
    const granted = Math.max(0, Math.min(messages, warm - state.today, Math.ceil(warm / 10) - state.hour, (state.perDay ?? Infinity) - state.today));
    if (granted > 0) {
      await changed(
        em,
        `insert into provider_hours as h (provider_id, hour, messages) values (?, date_trunc('hour', now()), ?)
         on conflict (provider_id, hour) do update set messages = h.messages + excluded.messages`,
        [id, granted],
      );
    }
    return { granted, pauseSeconds: state.rest + Math.random() * 30 };
  }
}
