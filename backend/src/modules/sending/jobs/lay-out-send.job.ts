import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { Courtesy } from '../courtesy.service.js';
import { DeliveryTickets } from '../delivery-tickets.service.js';
import { LayoutScheduler } from '../scheduling/layout-scheduler.service.js';
import { SendLayouts } from '../send-layouts.service.js';
import { SendOutcome } from '../send-outcome.service.js';
import { SendRetries } from '../send-retries.service.js';

/** How long a send that another job has in hand is passed over. */
const PASSED_OVER_MS = 250;

/**
 * Lays large sends out, or puts their failed recipients back, a chunk at a time: after each chunk the account that has waited longest is
 * served. The first recipients are mailed while the last ones still wait for their rows.
 */
@JobHandler('layouts', 2)
export class LayOutSend implements HandlesJob<'layouts'>, BeforeApplicationShutdown {
  private readonly log = new Logger(LayOutSend.name);
  private stopping = false;

  constructor(
    private readonly layouts: SendLayouts,
    private readonly retries: SendRetries,
    private readonly tickets: DeliveryTickets,
    private readonly outcome: SendOutcome,
    private readonly scheduler: LayoutScheduler,
    private readonly courtesy: Courtesy,
  ) {}

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /** A job only says that there is work; the scheduler decides in the database whose is next. */
  async handle(): Promise<void> {
    const busy = new Map<string, number>();
    let announced: Promise<void> = Promise.resolve();
    while (!this.stopping) {
      for (const [sendId, until] of busy) if (Date.now() > until) busy.delete(sendId);
      const sendId = await this.scheduler.next(new Set(busy.keys()));
      if (!sendId) break;
      let state = await this.layouts.layOutNext(sendId);
      if (state === 'done') state = await this.retries.requeueNext(sendId);
      await announced;
      if (state === 'busy') {
        busy.set(sendId, Date.now() + PASSED_OVER_MS);
        continue;
      }
      // While the next chunk is laid out.
      announced = this.announce(sendId, state === 'done');
      if (state === 'more') await this.courtesy.rest();
    }
    await announced;
  }

  /** What stands may go out; a send that was laid out and has nobody to mail has ended. */
  private async announce(sendId: string, isDone: boolean): Promise<void> {
    try {
      if (!(await this.tickets.issue(sendId)) && isDone) await this.outcome.recompute(sendId);
    } catch (error) {
      this.log.error({ err: error, sendId, code: 'layout_unannounced' }, 'a send that was laid out could not be announced; the sweeper finds it');
    }
  }
}
