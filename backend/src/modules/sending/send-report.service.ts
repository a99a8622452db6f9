import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HistoryBook, type Entry } from '../history/index.js';
import { DeliveryCounts } from './delivery-counts.service.js';
import type { DeliveryCountsDto, HistoryEntryDto } from './dto/report.dto.js';
import { MessageComposer } from './message-composer.js';
import { SendRetries } from './send-retries.service.js';
import { unknownSend } from './sending.errors.js';

/** A send as a whole, for its owner only. */
@Injectable()
export class SendReport {
  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly tally: DeliveryCounts,
    private readonly retries: SendRetries,
    private readonly composer: MessageComposer,
  ) {}

  async entry(userId: string, id: string): Promise<HistoryEntryDto> {
    const entry = await this.own(userId, id);
    const lists = await this.book.listsOf(this.em, id);
    const { html } = this.composer.parts(this.composer.prepare(entry), { listName: lists[0]?.name ?? '', unsubscribeToken: 'preview', introductionDue: false });
    return {
      id, subject: entry.subject, emailType: entry.emailType, recipientCount: String(entry.recipientCount),
      sentAt: new Date(entry.sentAt).toISOString(), status: entry.status, ...(entry.stopped && { stopped: entry.stopped }),
      content: entry.content, html, lists, counts: await this.counts(id), retryable: entry.stopped === 'cancelled' ? 0 : await this.retries.count(entry),
    };
  }

  /** @throws 404 for a foreign send as for a missing one */
  async assertOwn(userId: string, id: string): Promise<void> {
    if ((await this.book.standing(this.em, id))?.userId !== userId) throw unknownSend();
  }

  counts(id: string): Promise<DeliveryCountsDto> {
    return this.tally.of(id);
  }

  private async own(userId: string, id: string): Promise<Entry> {
    const entry = await this.book.byId(this.em, id);
    if (entry?.userId !== userId) throw unknownSend();
    return entry;
  }
}
