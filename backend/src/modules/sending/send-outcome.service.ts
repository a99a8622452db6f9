import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { EventBus } from '../../shared/events/event-bus.js';
import { HistoryBook, SendTotalsReader } from '../history/index.js';
import { AddressFaults } from './bounces/address-faults.service.js';
import { CancelledRest } from './cancelled-rest.service.js';

/** Ends a send once its last recipient is settled; computed from the rows and what their triggers counted, which outlives them. */
@Injectable()
export class SendOutcome {
  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly totals: SendTotalsReader,
    private readonly events: EventBus,
    private readonly faults: AddressFaults,
    private readonly rest: CancelledRest,
  ) {}

  /** What refusals mean for their addresses is settled first: whoever sees the send ended may send again. */
  async recompute(sendId: string): Promise<void> {
    await this.rest.skip(sendId);
    await this.settleIfDone(sendId);
  }

  async settleIfDone(sendId: string): Promise<void> {
    await this.faults.applyOfSend(sendId);
    if (!(await this.outcomeOf(this.em, sendId))) return;
    await this.faults.applyOfSend(sendId);
    const ended = await this.em.fork().transactional((em) => this.settle(em as EntityManager, sendId));
    if (ended) await this.events.emit('send.settled', { sendId, userId: ended.userId });
  }

  /** Like settleIfDone, for whoever answers a person: where refusals still have to be judged, it is left to a worker. @returns false then */
  async settleIfJudged(sendId: string): Promise<boolean> {
    if (await this.faults.isOpen(sendId)) return false;
    await this.settleIfDone(sendId);
    return true;
  }

  /** After a late report, within its transaction: a send whose every message came back failed after all. */
  async recount(em: EntityManager, sendId: string): Promise<void> {
    const [entry] = await rows<{ status: string }>(em, `select status from email_history where id = ?`, [sendId]);
    if (entry?.status !== 'pending') await this.settle(em, sendId);
  }

  /** Looks at the rows once the entry is locked: a report that comes in meanwhile waits, and counts again after this. */
  private async settle(em: EntityManager, sendId: string): Promise<{ userId: string } | null> {
    await rows(em, `select id from email_history where id = ? for update`, [sendId]);
    const outcome = await this.outcomeOf(em, sendId);
    return outcome && this.book.settle(em, sendId, outcome);
  }

  private async outcomeOf(em: EntityManager, sendId: string): Promise<'sent' | 'failed' | null> {
    // By position: asked for any open row, PostgreSQL reads the whole table, as its statistics say that the first one will do.
    const open = await rows(
      em,
      `(select 1 from email_delivery_logs where history_id = ? and status in ('queued', 'deferred') order by position limit 1)
       union all (select 1 from email_delivery_logs where history_id = ? and status = 'sending' order by position limit 1)
       union all select 1 from send_layouts where history_id = ? union all select 1 from send_retries where history_id = ?`,
      [sendId, sendId, sendId, sendId],
    );
    if (open.length > 0) return null;
    const { sent, unconfirmed, complained } = await this.totals.ofSend(em, sendId);
    return sent + unconfirmed + complained > 0 ? 'sent' : 'failed';
  }
}
