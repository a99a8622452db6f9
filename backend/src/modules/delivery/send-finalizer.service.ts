import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows } from '../../shared/database/queries/rows.js';
import { EventBus } from '../../shared/events/event-bus.js';
import { SendRecords, SendTotalsReader } from '../history/index.js';
import { CancelRemaining } from './cancel-remaining.service.js';
import { SendEndNotices } from './send-end-notices.service.js';

/**
 * Ends a send once its last recipient is settled. Whether it has ended is read from its rows, and its outcome from the
 * tallies, which outlive the rows.
 */
@Injectable()
export class SendFinalizer {
  private readonly steps: ((sendId: string) => Promise<void>)[] = [];
  private readonly endSteps: ((em: EntityManager, userId: string) => Promise<void>)[] = [];

  constructor(
    private readonly em: EntityManager,
    private readonly records: SendRecords,
    private readonly totals: SendTotalsReader,
    private readonly events: EventBus,
    private readonly remaining: CancelRemaining,
    private readonly notices: SendEndNotices,
  ) {}

  /** Registers a step that runs before a send ends. While the step throws, the send does not end. */
  beforeSettling(step: (sendId: string) => Promise<void>): void {
    this.steps.push(step);
  }

  /** Registers a step that runs within the transaction that ends a send. */
  whenSettling(step: (em: EntityManager, userId: string) => Promise<void>): void {
    this.endSteps.push(step);
  }

  async finalizeIfDone(sendId: string): Promise<void> {
    await this.remaining.skip(sendId);
    await this.finalize(sendId);
  }

  async finalize(sendId: string): Promise<void> {
    for (const step of this.steps) await step(sendId);
    if (!(await this.outcomeOf(this.em, sendId))) return;
    for (const step of this.steps) await step(sendId);
    const ended = await inTransaction(this.em, (em) => this.settle(em, sendId));
    if (ended) await this.events.emit('send.settled', { sendId, userId: ended.userId });
  }

  /**
   * Recomputes the outcome after a late report, within the transaction of the report: a send whose messages all bounced
   * has failed.
   */
  async recount(em: EntityManager, sendId: string): Promise<void> {
    const [entry] = await rows<{ status: string }>(em, `select status from email_history where id = ?`, [sendId]);
    if (entry?.status !== 'pending') await this.settle(em, sendId);
  }

  /** Reads the rows after locking the history entry, so that a concurrent report waits and then counts itself. */
  private async settle(em: EntityManager, sendId: string): Promise<{ userId: string } | null> {
    await rows(em, `select id from email_history where id = ? for update`, [sendId]);
    const outcome = await this.outcomeOf(em, sendId);
    const ended = outcome && (await this.records.settle(em, sendId, outcome));
    if (!ended) return null;
    await this.notices.write(em, sendId, outcome, await this.totals.ofSend(em, sendId));
    for (const step of this.endSteps) await step(em, ended.userId);
    return ended;
  }

  private async outcomeOf(em: EntityManager, sendId: string): Promise<'sent' | 'failed' | null> {
    // `order by position` forces the index. Without it, the planner expects an early match and scans the table.
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
