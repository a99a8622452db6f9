import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { OPEN_DELIVERY_STATUSES, type DeliveryStatus } from '../../shared/words/delivery-status.js';
import { HistoryBook, type Entry } from '../history/index.js';
import type { DeliveryCountsDto, HistoryEntryDto } from './dto/report.dto.js';
import { unknownSend } from './sending.errors.js';

/** A send as a whole, for its owner only. */
@Injectable()
export class SendReport {
  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
  ) {}

  async entry(userId: string, id: string): Promise<HistoryEntryDto> {
    const entry = await this.own(userId, id);
    return {
      id, subject: entry.subject, emailType: entry.emailType, recipientCount: String(entry.recipientCount),
      sentAt: new Date(entry.sentAt).toISOString(), status: entry.status, content: entry.content,
      lists: await this.book.listsOf(this.em, id), counts: await this.counts(id),
    };
  }

  /** @throws 404 for a foreign send as for a missing one */
  async assertOwn(userId: string, id: string): Promise<void> {
    await this.own(userId, id);
  }

  async counts(id: string): Promise<DeliveryCountsDto> {
    const found = await rows<{ status: DeliveryStatus; n: number; left: number }>(
      this.em,
      `select status, count(*)::int as n, count(unsubscribed_at)::int as left from email_delivery_logs where history_id = ? group by status`,
      [id],
    );
    const of = (...statuses: readonly DeliveryStatus[]) => found.filter((row) => statuses.includes(row.status)).reduce((sum, row) => sum + row.n, 0);
    return {
      queued: of(...OPEN_DELIVERY_STATUSES), sent: of('sent'), unconfirmed: of('unconfirmed'), failed: of('failed'), skipped: of('skipped'),
      bounced: of('bounced'), complained: of('complained'), unsubscribed: found.reduce((sum, row) => sum + row.left, 0),
    };
  }

  private async own(userId: string, id: string): Promise<Entry> {
    const entry = await this.book.byId(this.em, id);
    if (entry?.userId !== userId) throw unknownSend();
    return entry;
  }
}
