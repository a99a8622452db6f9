import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { lastEvent } from '../entities/contact.entity.js';
import { Compactor, type CounterTable } from '../../../shared/database/queries/compactor.js';

/** An event on a user's own lists, for the dashboard. */
export interface ListEvent {
  action: 'List created' | 'Contact added' | 'Contact confirmed' | 'Contact unsubscribed';
  /** Name of the list, address of the contact, or size of the import. */
  name: string;
  time: Date | string;
  listId: string;
}

/** Contacts that joined and left a user's own lists on one day of the user's time zone. */
export interface AudienceDay {
  date: string;
  contactsAdded: number;
  unsubscribed: number;
}

/**
 * SQL of the newest contacts by one of their times, from the lists with the newest events. Takes a few index steps per
 * list.
 */
const newestContacts = (action: ListEvent['action'], time: string, condition: string) => `
  (select '${action}' as action, c.email as name, c.time, busiest.id as list_id
   from busiest cross join lateral (
     select s.email, s.${time} as time from subscriptions s where s.email_list_id = busiest.id and ${condition} order by s.${time} desc limit ?
   ) c order by c.time desc limit ?)`;

/** The newest N events are in the N lists with the newest event, so every other list costs one index step. */
const EVENTS = `
  with own as materialized (select id, name, created_at from email_lists where owner_id = ? and deleted_at is null),
  busiest as materialized (
    select own.id from own cross join lateral (
      select ${lastEvent('s.')} as last from subscriptions s where s.email_list_id = own.id and ${lastEvent('s.')} is not null order by 1 desc limit 1
    ) e order by e.last desc limit ?
  )
  select action, name, time, list_id as "listId" from (
    (select 'List created' as action, name, created_at as time, id as list_id from own order by created_at desc limit ?)
    union all ${newestContacts('Contact added', 'created_at', 's.import_id is null')}
    union all ${newestContacts('Contact confirmed', 'confirmed_at', `s.confirmed_at is not null and (s.consent ->> 'how') is distinct from 'attestation'`)}
    union all ${newestContacts('Contact unsubscribed', 'unsubscribed_at', 's.unsubscribed_at is not null')}
    union all
    (select 'Contact added', case c.added when 1 then '1 contact' else to_char(c.added, 'FM999,999,999') || ' contacts' end || ' imported to ' || own.name,
            coalesce(c.finished_at, c.created_at) as time, own.id
     from contact_imports c join own on own.id = c.email_list_id
     where c.user_id = ? and c.status = 'done' and c.added > 0 order by time desc limit ?)
  ) events
  order by time desc limit ?`;

/** Recent events on a user's own lists; the cost does not depend on the number of contacts. */
@Injectable()
export class ListActivity {
  constructor(private readonly em: EntityManager) {}

  /** The newest events; an import is one event. */
  async newest(userId: string, limit: number): Promise<ListEvent[]> {
    return rows<ListEvent>(this.em, EVENTS, [userId, ...Array.from({ length: 8 }, () => limit), userId, limit, limit]);
  }

  /** Days since `from` (a date in `timeZone`) with an event. */
  async daysSince(userId: string, timeZone: string, from: string): Promise<AudienceDay[]> {
    return rows<AudienceDay>(
      this.em,
      `select to_char(q.quarter at time zone z.name, 'YYYY-MM-DD') as date, sum(q.added)::int as "contactsAdded", sum(q.unsubscribed)::int as unsubscribed
       from (select ?::text as name) z cross join lateral (
         select quarter, sum(added) as added, sum(unsubscribed) as unsubscribed from contact_trends
         where owner_id = ? and quarter >= (?::date)::timestamp at time zone z.name group by quarter
       ) q
       group by 1`,
      [timeZone, userId, from],
    );
  }
}

/** Merges the rows of all connections for an account's quarter of an hour into one, once it began over an hour ago. */
@Injectable()
export class TrendCompactor extends Compactor {
  protected readonly lock = 'lists.trends';
  protected readonly source: CounterTable = {
    table: 'contact_trends',
    key: ['owner_id', 'quarter'],
    counts: ['added', 'unsubscribed'],
    ready: `t.quarter < now() - interval '1 hour'`,
  };
}
