import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../shared/database/queries/all-of.js';
import { contains, Keyset, type SortKey, withoutKeys } from '../../shared/database/queries/keyset.js';
import { readPage } from '../../shared/database/queries/read-page.js';
import { rows, type SqlPart } from '../../shared/database/queries/rows.js';
import type { Page } from '../../shared/http/index.js';
import { isUuid } from '../../shared/text/formats.js';
import { ScheduleClock } from './due/schedule-clock.js';
import type { ScheduledQuery } from './scheduled-send.dto.js';
import { type ScheduledRow, type ScheduledSendRow, scheduledColumns, stateSql } from './scheduled-rows.js';
import { unknownScheduled } from './schedules.errors.js';

const SORTS: Record<string, SortKey> = {
  dueAt: { expression: 's.due_at', type: 'timestamptz' },
  subject: { expression: `lower(s.send ->> 'subject')`, type: 'text' },
};

/** Reads a user's scheduled sends. */
@Injectable()
export class ScheduleReader {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: ScheduleClock,
  ) {}

  /** A page of sends without their messages, the soonest first unless `sort` says otherwise. */
  async page(userId: string, query: ScheduledQuery & { limit: number }): Promise<Page<ScheduledRow>> {
    const keyset = new Keyset(SORTS, query.sort ?? 'dueAt', query.cursor, 's.id');
    const page = await readPage<ScheduledRow>(this.em.fork(), keyset, query.limit, {
      columns: scheduledColumns(this.clock.sql),
      from: 'scheduled_sends s',
      where: this.where(userId, query),
    });
    return { ...page, rows: page.rows.map((row) => withoutKeys(row) as ScheduledRow) };
  }

  /** @throws 404 */
  async one(userId: string, id: string): Promise<ScheduledSendRow> {
    const [found] = await rows<ScheduledSendRow>(
      this.em.fork(),
      `select ${scheduledColumns(this.clock.sql)}, s.send from scheduled_sends s where s.id = ? and s.user_id = ?`,
      [id, userId],
    );
    if (!found) throw unknownScheduled();
    return found;
  }

  private where(userId: string, { search, state, listId }: ScheduledQuery): SqlPart {
    const text = search?.trim();
    return allOf([
      ['s.user_id = ?', userId],
      text && [`s.send ->> 'subject' ilike ?`, contains(text)],
      listId && listFilter(listId),
      state === 'open'
        ? [`s.state in ('scheduled', 'leaving', 'blocked')`]
        : state && [`${stateSql(this.clock.sql)} = ?`, state],
    ]);
  }
}

/** SQL condition: the send goes to this list. A send that only excludes the list does not match. */
function listFilter(listId: string): SqlPart {
  if (!isUuid(listId)) return { sql: 'false', params: [] };
  return { sql: `s.send -> 'emailListIds' @> jsonb_build_array(?::text)`, params: [listId.toLowerCase()] };
}
