import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HistoryBook, SendTotalsReader, settledOf, type Standing } from '../history/index.js';
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
    return this.ofStanding(this.em, sendId, await this.book.standing(this.em, sendId));
  }

  /** The same for a send whose standing was read just before. */
  async ofStanding(em: EntityManager, sendId: string, send: Standing | undefined): Promise<DeliveryCountsDto> {
    const ended = await this.totals.ofSend(em, sendId);
    const waiting = send?.status === 'pending' ? send.recipientCount - settledOf(ended) : 0;
    return { ...ended, queued: Math.max(0, waiting) };
  }
}
