import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { countMatches, type Matches } from '../../shared/database/count-matches.js';
import { rows } from '../../shared/database/rows.js';
import type { Page } from '../../shared/http/index.js';
import type { SendStop } from '../../shared/words/send-stop.js';
import type { HistoryQuery, HistoryRowDto } from './dto/history.dto.js';

const PAGE = 1000;
const OUTCOME = `(select jsonb_build_object('sent', coalesce(sum(sent + unconfirmed), 0), 'failed', coalesce(sum(failed), 0), 'bounced', coalesce(sum(bounced), 0))
  from delivery_tallies where history_id = email_history.id)`;
type Row = Omit<HistoryRowDto, 'sentAt' | 'stopped'> & { sentAt: Date | string; stopped: SendStop | null; place: string };

/** A user's sends, newest first, a page at a time. */
@Injectable()
export class HistorySearch {
  constructor(private readonly em: EntityManager) {}

  async page(userId: string, query: HistoryQuery, limit: number): Promise<Page<HistoryRowDto>> {
    const found = await this.read(userId, query, limit + 1, query.cursor);
    const isAll = !query.cursor && found.length <= limit;
    const total = isAll ? { total: found.length } : await this.count(userId, query);
    const shown = found.slice(0, limit);
    return { rows: shown.map(toItem), ...total, next: found.length > limit ? encode(shown.at(-1)!) : undefined };
  }

  /** The newest few, without counting the rest. */
  async newest(userId: string, limit: number): Promise<HistoryRowDto[]> {
    return (await this.read(userId, {}, limit)).map(toItem);
  }

  async *all(userId: string, query: HistoryQuery): AsyncGenerator<HistoryRowDto> {
    let cursor = query.cursor;
    for (;;) {
      const found = await this.read(userId, query, PAGE, cursor);
      for (const row of found) yield toItem(row);
      if (found.length < PAGE) return;
      cursor = encode(found.at(-1)!);
    }
  }

  private async read(userId: string, query: HistoryQuery, limit: number, cursor?: string): Promise<Row[]> {
    const { sql, params } = this.where(userId, query);
    const after = decode(cursor);
    return rows<Row>(
      this.em,
      `select id, subject, email_type as "emailType", recipient_count::text as "recipientCount", sent_at as "sentAt", status,
         case when cancelled_at is not null then 'cancelled' when paused_at is not null then 'paused' end as stopped, sent_at::text as place,
         ${query.outcome ? OUTCOME : 'null::jsonb'} as outcome
       from email_history where ${sql} ${after ? 'and (sent_at, id) < (?::timestamptz, ?::uuid)' : ''} order by sent_at desc, id desc limit ?`,
      [...params, ...(after ?? []), limit],
    );
  }

  private count(userId: string, query: HistoryQuery): Promise<Matches> {
    const { sql, params } = this.where(userId, query);
    return countMatches(this.em, `email_history where ${sql}`, params);
  }

  private where(userId: string, query: HistoryQuery): { sql: string; params: unknown[] } {
    const parts = ['user_id = ?'];
    const params: unknown[] = [userId];
    const search = query.search?.trim();
    if (search) {
      parts.push(`subject ilike ?`);
      params.push(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
    }
    if (query.type) {
      parts.push('email_type = ?');
      params.push(query.type);
    }
    if (query.status) {
      parts.push('status = ?');
      params.push(query.status);
    }
    return { sql: parts.join(' and '), params };
  }
}

const toItem = (row: Row): HistoryRowDto => ({
  id: row.id, subject: row.subject, emailType: row.emailType, recipientCount: row.recipientCount, sentAt: new Date(row.sentAt).toISOString(), status: row.status,
  ...(row.outcome && { outcome: row.outcome }), ...(row.stopped && { stopped: row.stopped }),
});

/** `place` keeps the microseconds that a JavaScript date would lose. */
const encode = (row: Row): string => Buffer.from(`${row.place}|${row.id}`).toString('base64url');

function decode(cursor?: string): [string, string] | null {
  const match = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-][\d:]+)\|([0-9a-f-]{36})$/.exec(Buffer.from(cursor ?? '', 'base64url').toString());
  return match ? [match[1]!, match[2]!] : null;
}
