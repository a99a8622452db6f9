import type { BeforeApplicationShutdown } from '@nestjs/common';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { Courtesy } from '../courtesy.service.js';
import { DeliveryTickets } from '../delivery-tickets.service.js';
import { SendLayouts } from '../send-layouts.service.js';
import { SendOutcome } from '../send-outcome.service.js';
import { SendRetries } from '../send-retries.service.js';

/** Lays a large send out, or puts its failed recipients back; the first are mailed while the last ones still wait for their rows. */
@JobHandler('layouts', 2)
export class LayOutSend implements HandlesJob<'layouts'>, BeforeApplicationShutdown {
  private stopping = false;

  constructor(
    private readonly layouts: SendLayouts,
    private readonly retries: SendRetries,
    private readonly tickets: DeliveryTickets,
    private readonly outcome: SendOutcome,
    private readonly courtesy: Courtesy,
  ) {}

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  async handle({ sendId }: { sendId: string }): Promise<void> {
    let asked: Promise<boolean> | undefined;
    let state: 'done' | 'busy' | 'more' = 'more';
    while (state === 'more' && !this.stopping) {
      state = await this.layouts.layOutNext(sendId);
      if (state === 'done') state = await this.retries.requeueNext(sendId);
      await asked;
      if (state === 'busy') return;
      // For what stands, while the next chunk is laid out.
      asked = this.tickets.issue(sendId);
      asked.catch(() => undefined);
      if (state === 'more') await this.courtesy.rest();
    }
    if (!(await asked) && state === 'done') await this.outcome.recompute(sendId);
  }
}
