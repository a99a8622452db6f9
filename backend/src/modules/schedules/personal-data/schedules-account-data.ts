import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ErasureRules, exportedCells, ExportParts } from '../../../shared/personal-data.js';
import { Retention } from '../../../shared/retention/retention.js';
import { isoTimeSql } from '../../../shared/text/formats.js';

/** Days after which sent and cancelled emails are deleted. */
const ENDED_DAYS = 30;
/** Maximum emails per statement; each email may take a megabyte. */
const EMAILS_PER_STATEMENT = 50;
/** Rows per read. */
const PAGE_ROWS = 10;

/** Adds scheduled sends to the account's data export. Purges old sends and those of deleted accounts. */
@Injectable()
export class SchedulesAccountData implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly parts: ExportParts,
    private readonly retention: Retention,
    private readonly erasure: ErasureRules,
  ) {}

  onModuleInit(): void {
    this.parts.add({
      file: 'scheduled.csv',
      header: [
        'id',
        'made',
        'changed',
        'state',
        'reason',
        'local time',
        'time zone',
        'leaves',
        'type',
        'subject',
        'send id',
        'email',
      ],
      rows: (userId) =>
        exportedCells(
          this.em,
          {
            sql: `select id, array[id::text, ${isoTimeSql('created_at')}, ${isoTimeSql('updated_at')}, state, reason, to_char(local_at, 'YYYY-MM-DD HH24:MI'), time_zone, ${isoTimeSql('due_at')},
                    send ->> 'emailType', send ->> 'subject', history_id::text, send::text] as cells
                  from scheduled_sends where user_id = ?::uuid and id > ?::uuid order by id limit ${PAGE_ROWS}`,
            params: [userId],
          },
          { limit: PAGE_ROWS },
        ),
    });
    this.retention.add({
      table: 'scheduled_sends',
      by: 'updated_at',
      batch: EMAILS_PER_STATEMENT,
      where: `t.state in ('sent', 'cancelled') and t.updated_at < now() - interval '${ENDED_DAYS} days'`,
    });
    this.erasure.add({
      step: 'parents',
      table: 'scheduled_sends',
      where: 't.user_id = ?',
      batch: EMAILS_PER_STATEMENT,
    });
  }
}
