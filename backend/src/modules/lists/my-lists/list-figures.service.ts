import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../shared/http/index.js';
import type { ListDayDto, ListFiguresDto } from './email-list.dto.js';
import { ListAccess } from './list-access.service.js';
import { HAS_UNSUBSCRIBED } from '../unsubscribe/suppression-sql.js';

const CHART_DAYS = 56;

interface Day {
  date: string;
  added: number;
  unsubscribed: number;
}

/** Current figures and growth of a list. */
@Injectable()
export class ListFigures {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
  ) {}

  async of(user: RequestUser, listId: string): Promise<ListFiguresDto> {
    const list = await this.access.require(user, listId);
    const [[bounced], days] = await Promise.all([
      rows<{ confirmed: number; pending: number }>(this.em.fork(), BOUNCED, [list.id]),
      rows<Day>(this.em.fork(), GROWTH, [user.timeZone, list.id, CHART_DAYS - 1]),
    ]);
    const { confirmed = 0, pending = 0 } = bounced ?? {};
    return {
      confirmed: list.confirmedCount - confirmed,
      pending: list.contactCount - list.confirmedCount - pending,
      bounced: confirmed + pending,
      days: backFrom(list.contactCount, days),
    };
  }
}

/** Size of the list at the end of each day, computed backwards from its current size. */
function backFrom(now: number, days: Day[]): ListDayDto[] {
  let contacts = now;
  return days
    .toReversed()
    .map((day) => {
      const held = { ...day, contacts: Math.max(0, contacts) };
      contacts += day.unsubscribed - day.added;
      return held;
    })
    .toReversed();
}

const BOUNCED = `
  select (count(*) filter (where confirmed))::int as confirmed, (count(*) filter (where not confirmed))::int as pending
  from subscriptions where email_list_id = ? and suppressed = 'bounced'`;

/**
 * Contacts that joined and left, by day, counted through the indexes on their times. An unsubscribed address that asked
 * to return but has not confirmed counts as neither joined nor left.
 */
const GROWTH = `
  with p as (
    select z.name as zone, z.list, (now() at time zone z.name)::date as today, ((now() at time zone z.name)::date - z.days)::timestamp at time zone z.name as since, z.days
    from (select ?::text as name, ?::uuid as list, ?::int as days) z
  ), came as (
    select (c.created_at at time zone p.zone)::date as day, count(*)::int as n from p join subscriptions c on c.email_list_id = p.list and c.created_at >= p.since group by 1
  ), never as (
    select (c.created_at at time zone p.zone)::date as day, count(*)::int as n from p join subscriptions c on c.email_list_id = p.list and c.created_at >= p.since
    where ${HAS_UNSUBSCRIBED} and c.unsubscribed_at is null group by 1
  ), gone as (
    select (c.unsubscribed_at at time zone p.zone)::date as day, count(*)::int as n from p join subscriptions c on c.email_list_id = p.list and c.unsubscribed_at >= p.since
    where ${HAS_UNSUBSCRIBED} group by 1
  )
  select to_char(d.day, 'YYYY-MM-DD') as date, coalesce(came.n, 0) - coalesce(never.n, 0) as added, coalesce(gone.n, 0) as unsubscribed
  from p cross join lateral (select p.today - n as day from generate_series(0, p.days) n) d
  left join came on came.day = d.day left join never on never.day = d.day left join gone on gone.day = d.day
  order by d.day`;
