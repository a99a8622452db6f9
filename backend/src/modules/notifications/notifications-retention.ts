import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ExportCell, ErasureRules, exportedCells, ExportParts } from '../../shared/personal-data.js';
import { Retention } from '../../shared/retention/retention.js';
import type { NotificationKind } from './notification-kinds.js';
import { NOTIFICATION_KINDS } from './notification-kinds.js';
import { textOf } from './notification-text.js';
import { isoTimeSql } from '../../shared/text/formats.js';

/** Days for which a notification is kept after its last event, read or not. */
const NOTIFICATION_DAYS = 90;
const PAGE_ROWS = 500;

/** Purges old notifications and those of deleted accounts, and adds them to the account's data export. */
@Injectable()
export class NotificationsRetention implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly retention: Retention,
    private readonly erasure: ErasureRules,
    private readonly parts: ExportParts,
  ) {}

  onModuleInit(): void {
    this.retention.add({
      table: 'notifications',
      by: 'updated_at',
      where: `t.updated_at < now() - interval '${NOTIFICATION_DAYS} days'`,
    });
    this.erasure.add({ step: 'parents', table: 'notifications', where: 't.user_id = ?', batch: 5_000 });
    this.parts.add({
      file: 'notifications.csv',
      header: ['id', 'kind', 'text', 'about', 'count', 'written', 'read', 'mailed'],
      rows: (userId) => this.rows(userId),
    });
  }

  private async *rows(userId: string): AsyncGenerator<ExportCell[]> {
    const cells = exportedCells(
      this.em,
      {
        sql: `select id, array[id::text, kind, params::text, count::text, ${isoTimeSql('created_at')}, ${isoTimeSql('read_at')}, ${isoTimeSql('mailed_at')}] as cells
              from notifications where user_id = ?::uuid and id > ?::uuid order by id limit ${PAGE_ROWS}`,
        params: [userId],
      },
      { limit: PAGE_ROWS },
    );
    for await (const [id, kind, params, count, ...times] of cells) {
      if (!NOTIFICATION_KINDS.includes(kind as NotificationKind)) continue;
      const { text, detail } = textOf(kind as NotificationKind, JSON.parse(String(params)) as never, Number(count));
      yield [id, kind, text, detail, count, ...times];
    }
  }
}
