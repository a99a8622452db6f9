import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { type ExportCell, ExportParts } from '../../../shared/personal-data.js';
import { DeliveryLog } from './delivery-log.service.js';

/**
 * Deliveries in an account's data export. Masks addresses of the shared network, as the screens do; see decisions.md:
 * network-addresses.
 */
@Injectable()
export class DeliveriesExport implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly log: DeliveryLog,
    private readonly parts: ExportParts,
  ) {}

  onModuleInit(): void {
    this.parts.add({
      file: 'deliveries.csv',
      header: ['send', 'email', 'status', 'sent', 'message id', 'detail'],
      rows: (userId) => this.deliveries(userId),
    });
  }

  private async *deliveries(userId: string): AsyncGenerator<ExportCell[]> {
    for (const { id } of await rows<{ id: string }>(
      this.em.fork(),
      `select id from email_history where user_id = ? order by sent_at, id`,
      [userId],
    )) {
      for await (const { recipientEmail, status, sentAt, messageId, detail } of this.log.all(id, {}))
        yield [id, recipientEmail, status, sentAt, messageId, detail];
    }
  }
}
