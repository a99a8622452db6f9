import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { HistoryBook, SendTotalsReader, type Entry } from '../history/index.js';
import type { DeliveryCountsDto, HistoryEntryDto } from './dto/report.dto.js';
import { unknownSend } from './sending.errors.js';

/** A send as a whole, for its owner only. */
@Injectable()
export class SendReport {
  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly totals: SendTotalsReader,
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
    // In this order, a message that ends meanwhile is missing for a moment and never counted twice.
    const ended = await this.totals.ofSend(this.em, id);
    const [open] = await rows<{ queued: number }>(
      this.em, `select count(*)::int as queued from email_delivery_logs where history_id = ? and status in ('queued', 'sending', 'deferred')`, [id],
    );
    return { ...open!, ...ended };
  }

  private async own(userId: string, id: string): Promise<Entry> {
    const entry = await this.book.byId(this.em, id);
    if (entry?.userId !== userId) throw unknownSend();
    return entry;
  }
}
