import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HistoryBook, SendTotalsReader, settledOf } from '../history/index.js';
import type { DeliveryCountsDto } from './dto/report.dto.js';

/** How many recipients of a send stand where, from the tallies: as quick for a million recipients as for ten. */
@Injectable()
export class DeliveryCounts {
  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly totals: SendTotalsReader,
  ) {}

  async of(sendId: string): Promise<DeliveryCountsDto> {
    const send = await this.book.byId(this.em, sendId);
    const ended = await this.totals.ofSend(this.em, sendId);
    const waiting = send?.status === 'pending' ? send.recipientCount - settledOf(ended) : 0;
    return { ...ended, queued: Math.max(0, waiting) };
  }
}
