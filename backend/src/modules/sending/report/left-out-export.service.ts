import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { type ExportCell, ExportParts } from '../../../shared/personal-data.js';
import { LEFT_OUT_WORDS, LeftOutReport } from './left-out.service.js';

/**
 * People whom sends left out, in an account's data export. Masks addresses of the shared network, as the screens do.
 */
@Injectable()
export class LeftOutExport implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly leftOut: LeftOutReport,
    private readonly parts: ExportParts,
  ) {}

  onModuleInit(): void {
    this.parts.add({
      file: 'left-out.csv',
      header: ['send', 'email', 'reason', 'detail'],
      rows: (userId) => this.rows(userId),
    });
  }

  private async *rows(userId: string): AsyncGenerator<ExportCell[]> {
    const sends = await rows<{ id: string }>(
      this.em.fork(),
      `select h.id from email_history h join send_audiences a on a.history_id = h.id where h.user_id = ? and a.left_out > 0 order by h.sent_at, h.id`,
      [userId],
    );
    for (const { id } of sends)
      for await (const { email, reason, detail } of this.leftOut.all(id, {}))
        yield [id, email, LEFT_OUT_WORDS[reason], detail];
  }
}
