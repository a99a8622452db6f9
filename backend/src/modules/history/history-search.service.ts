import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../shared/database/queries/all-of.js';
import { countMatches, type Matches } from '../../shared/database/queries/read-page.js';
import { contains, Keyset, type KeysetRow, type SortKey } from '../../shared/database/queries/keyset.js';
import { rows, type SqlPart } from '../../shared/database/queries/rows.js';
import type { Page } from '../../shared/http/index.js';
import type { SendStop } from '../../shared/enums.js';
import type { HistoryFilter, HistoryQuery, HistoryRowDto } from './dto/history.dto.js';

const PAGE_ROWS = 1000;
const SORTS: Record<string, SortKey> = {
  sentAt: { expression: 'sent_at', type: 'timestamptz' },
  subject: { expression: 'lower(subject)', type: 'text' },
  recipients: { expression: 'recipient_count', type: 'integer' },
};
const OUTCOME = `(select jsonb_build_object('sent', coalesce(sum(sent + unconfirmed), 0), 'unconfirmed', coalesce(sum(unconfirmed), 0), 'failed', coalesce(sum(failed), 0), 'bounced', coalesce(sum(bounced), 0))
  from delivery_tallies where history_id = email_history.id)`;
const LISTS = `(select jsonb_agg(l.name order by l.position) from email_history_lists l where l.history_id = email_history.id)`;
type Row = Omit<HistoryRowDto, 'sentAt' | 'stopped'> & { sentAt: Date | string; stopped: SendStop | null } & KeysetRow;

/** The user whose sends are read, and the time zone in which the user's days are counted. */
interface Reader {
  id: string;
  timeZone: string;
}

/** Finds a user's sends page by page, newest first by default. */
@Injectable()
export class HistorySearch {
  constructor(private readonly em: EntityManager) {}

  async page(user: Reader, query: HistoryQuery, limit: number): Promise<Page<HistoryRowDto>> {
    const { rows: shown, next, prev } = await this.read(user, query, limit);
    const isAll = !query.cursor && !next;
    const total = isAll ? { total: shown.length } : await this.count(user, query);
    return { rows: shown.map(toItem), ...total, next, prev };
  }

  /** The newest sends, without a total. */
  async newest(user: Reader, limit: number): Promise<HistoryRowDto[]> {
    return (await this.read(user, {}, limit)).rows.map(toItem);
  }

  async *all(user: Reader, query: HistoryQuery): AsyncGenerator<HistoryRowDto> {
    for (let { cursor } = query; ;) {
      const { rows: found, next } = await this.read(user, { ...query, cursor }, PAGE_ROWS);
      for (const row of found) yield toItem(row);
      if (!next) return;
      cursor = next;
    }
  }

  private async read(
    user: Reader,
    query: HistoryQuery,
    limit: number,
  ): Promise<{ rows: Row[]; next: string | null; prev: string | null }> {
    const keyset = new Keyset(SORTS, query.sort ?? '-sentAt', query.cursor, 'id');
    const { sql, params } = filter(user, query);
    const found = await rows<Row>(
      this.em.fork(),
      `select ${keyset.columns}, id, subject, email_type as "emailType", recipient_count::text as "recipientCount", sent_at as "sentAt", status,
         case when cancelled_at is not null then 'cancelled' when paused_at is not null then 'paused' end as stopped,
         ${query.outcome ? `${OUTCOME} as outcome, ${LISTS}` : 'null::jsonb as outcome, null::jsonb'} as lists
       from email_history where ${sql} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
      [...params, ...keyset.params, limit + 1],
    );
    return keyset.page(found, limit);
  }

  private count(user: Reader, query: HistoryQuery): Promise<Matches> {
    const { sql, params } = filter(user, query);
    return countMatches(this.em.fork(), `email_history where ${sql}`, params);
  }
}

function filter({ id, timeZone }: Reader, { search, type, status, from, to }: HistoryQuery): SqlPart {
  const text = search?.trim();
  return allOf([
    ['user_id = ?', id],
    text && ['subject ilike ?', contains(text)],
    type && ['email_type = ?', type],
    status && statusFilter(status),
    from && ['sent_at >= (?::date)::timestamp at time zone ?', from, timeZone],
    to && ['sent_at < (?::date + 1)::timestamp at time zone ?', to, timeZone],
  ]);
}

/** A cancelled send that has ended matches only `cancelled`, whatever became of its messages. */
function statusFilter(status: HistoryFilter): SqlPart {
  if (status === 'cancelled') return { sql: 'cancelled_at is not null', params: [] };
  return { sql: status === 'pending' ? 'status = ?' : 'status = ? and cancelled_at is null', params: [status] };
}

const toItem = (row: Row): HistoryRowDto => ({
  id: row.id,
  subject: row.subject,
  emailType: row.emailType,
  recipientCount: row.recipientCount,
  sentAt: new Date(row.sentAt).toISOString(),
  status: row.status,
  ...(row.outcome && { outcome: row.outcome, lists: row.lists ?? [] }),
  ...(row.stopped && { stopped: row.stopped }),
});
