import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import { type ExportCell, ExportParts } from '../../shared/personal-data.js';
import { HistorySearch } from './history-search.service.js';

const SENDS_PER_PAGE = 100;

/** Adds sends and daily usage to the account's data export. */
@Injectable()
export class HistoryExport implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly search: HistorySearch,
    private readonly parts: ExportParts,
  ) {}

  onModuleInit(): void {
    this.parts.add(
      {
        file: 'history.csv',
        header: ['id', 'sent', 'type', 'status', 'recipients', 'lists', 'subject', 'content'],
        rows: (userId) => this.sends(userId),
      },
      { file: 'usage.csv', header: ['day', 'time zone', 'sends'], rows: (userId) => this.days(userId) },
    );
  }

  private async *sends(userId: string): AsyncGenerator<ExportCell[]> {
    for (let cursor: string | undefined; ;) {
      const { rows: items, next } = await this.search.page({ id: userId, timeZone: 'UTC' }, { cursor }, SENDS_PER_PAGE);
      const texts = await this.textsOf(items.map(({ id }) => id));
      for (const { id, sentAt, emailType, status, recipientCount, subject } of items) {
        yield [id, sentAt, emailType, status, recipientCount, texts.get(id)?.lists, subject, texts.get(id)?.content];
      }
      if (!next) return;
      cursor = next;
    }
  }

  private async textsOf(ids: string[]): Promise<Map<string, { content: string; lists: string | null }>> {
    const found = await rows<{ id: string; content: string; lists: string | null }>(
      this.em.fork(),
      `select h.id, h.content, (select string_agg(l.name, '; ' order by l.position) from email_history_lists l where l.history_id = h.id) as lists
       from email_history h where h.id in (select value::uuid from jsonb_array_elements_text(?::jsonb))`,
      [JSON.stringify(ids)],
    );
    return new Map(found.map((row) => [row.id, row]));
  }

  private async *days(userId: string): AsyncGenerator<ExportCell[]> {
    const found = await rows<{ day: string; zone: string; sends: number }>(
      this.em.fork(),
      `select to_char(date, 'YYYY-MM-DD') as day, time_zone as zone, emails_sent as sends from usage_tracking where user_id = ? order by date`,
      [userId],
    );
    for (const { day, zone, sends } of found) yield [day, zone, sends];
  }
}
