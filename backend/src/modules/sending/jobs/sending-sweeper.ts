import { randomUUID } from 'node:crypto';
import { MikroORM } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { CreateRequestContext } from '@mikro-orm/decorators/legacy';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { DeliveryClaims } from '../delivery-claims.service.js';
import { DeliveryTickets } from '../delivery-tickets.service.js';
import { SendLayouts } from '../send-layouts.service.js';
import { SendOutcome } from '../send-outcome.service.js';
import { SendRetries } from '../send-retries.service.js';
import { SendingTuning } from '../sending-tuning.js';

/** How often a worker looks that has just started … */
const FIRST_SWEEPS_MS = 500;
/** … until so long after a turn's length. */
const RANGE_LEFT_MS = 1_500;
/** Of the sends whose ranges wait so many are told of: a job asks for others as long as there is work. */
const MOST_ANNOUNCED = 20;

/** Finds work that the queue lost (a crash, a flushed Redis) and sends that nobody ended. One instance at a time. */
@Injectable()
export class SendingSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(SendingSweeper.name);
  private timer?: NodeJS.Timeout;
  private firstSweeps?: NodeJS.Timeout;
  private isSweeping = false;
  private sweeping: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly orm: MikroORM,
    private readonly em: EntityManager,
    private readonly single: SingleRunner,
    private readonly tickets: DeliveryTickets,
    private readonly layouts: SendLayouts,
    private readonly retries: SendRetries,
    private readonly claims: DeliveryClaims,
    private readonly outcome: SendOutcome,
    private readonly jobs: JobQueue,
    private readonly tuning: SendingTuning,
  ) {}

  /**
   * Plain timers and not @Interval: the pause is injected, so that tests can shorten it. A worker that starts may be another's successor:
   * it looks again and again until the last range of that one is free, so that mail goes on the moment one is.
   */
  onApplicationBootstrap(): void {
    // Jobs that a killed worker had in hand keep their names for half a minute.
    const anew = `:${randomUUID().slice(0, 8)}`;
    const until = performance.now() + this.tuning.turnMs + RANGE_LEFT_MS;
    this.next(anew);
    this.firstSweeps = setInterval(() => {
      this.next(anew);
      if (performance.now() > until) clearInterval(this.firstSweeps);
    }, FIRST_SWEEPS_MS).unref();
    this.timer = setInterval(() => this.next(), this.tuning.sweepMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    clearInterval(this.firstSweeps);
    await this.sweeping;
  }

  private next(anew?: string): void {
    if (this.isSweeping) return;
    this.isSweeping = true;
    this.sweeping = this.sweepOnce(anew).finally(() => (this.isSweeping = false));
  }

  private async sweepOnce(anew?: string): Promise<void> {
    try {
      await this.single.run('sending.sweep', () => this.sweep(anew));
    } catch (error) {
      this.log.error({ err: error }, 'the sweep of deliveries failed');
    }
  }

  @CreateRequestContext<SendingSweeper>((sweeper) => sweeper.orm)
  async sweep(anew?: string): Promise<void> {
    const open = new Set([...(await this.layouts.open()), ...(await this.retries.open())]);
    await this.jobs.enqueueAll('layouts', [...open].map((sendId) => ({ payload: { sendId }, jobId: `${sendId}${anew ?? ''}` })));
    let announced = 0;
    for (const { sendId, state } of await this.claims.unattended()) {
      if (state === 'due') await this.tickets.issue(sendId, anew);
      else if (state === 'waiting') {
        if (announced++ < MOST_ANNOUNCED) await this.tickets.announce(sendId, anew);
      }
      else if (state === 'lost' && (await this.claims.rebuildRanges(sendId))) await this.tickets.announce(sendId, anew);
      else await this.outcome.recompute(sendId);
    }
  }
}
