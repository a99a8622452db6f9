import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { EventBus } from '../../shared/events/event-bus.js';
import { HistoryBook } from '../history/index.js';

/** Ends a send once its last recipient is settled; always computed from the rows, never counted up. */
@Injectable()
export class SendOutcome {
  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly events: EventBus,
  ) {}

  async recompute(sendId: string): Promise<void> {
    const [state] = await rows<{ open: boolean; out: boolean }>(
      this.em,
      `select exists (select 1 from email_delivery_logs where history_id = ? and status in ('queued', 'sending', 'deferred')) as open,
         exists (select 1 from email_delivery_logs where history_id = ? and status in ('sent', 'unconfirmed', 'complained')) as out`,
      [sendId, sendId],
    );
    if (!state || state.open) return;
    const ended = await this.em.fork().transactional((em) => this.book.settle(em as EntityManager, sendId, state.out ? 'sent' : 'failed'));
    if (ended) await this.events.emit('send.settled', { sendId, userId: ended.userId });
  }
}
