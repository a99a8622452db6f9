import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { dueTimeOf, type LocalTime, ZONE_DATA } from './due-time.js';

const SENDS_PER_STATEMENT = 500;

/**
 * Recomputes the instants of waiting sends when time zone rules change, because the local time that the user chose may
 * now belong to another instant.
 */
@Injectable()
export class DueTimes {
  constructor(private readonly em: EntityManager) {}

  /**
   * Recomputes `due_at` of sends for which it was computed with other time zone data. Keeps the instant if the local
   * time no longer exists.
   * @param zoneData version of this process's time zone data
   */
  async deriveAnew(zoneData = ZONE_DATA): Promise<void> {
    for (;;) {
      const old = await rows<LocalTime & { id: string }>(
        this.em.fork(),
        `select id, to_char(local_at, 'YYYY-MM-DD"T"HH24:MI') as at, time_zone as "timeZone", later from scheduled_sends
         where state = 'scheduled' and zone_data <> ? order by due_at limit ${SENDS_PER_STATEMENT}`,
        [zoneData],
      );
      for (const { id, ...time } of old) {
        const due = dueTimeOf(time);
        await changed(
          this.em.fork(),
          `update scheduled_sends set due_at = coalesce(?::timestamptz, due_at), zone_data = ?
           where id = ? and state = 'scheduled' and local_at = ?::timestamp and time_zone = ? and later = ?`,
          [due && 'dueAt' in due ? due.dueAt : null, zoneData, id, time.at, time.timeZone, time.later],
        );
      }
      if (old.length < SENDS_PER_STATEMENT) return;
    }
  }
}
