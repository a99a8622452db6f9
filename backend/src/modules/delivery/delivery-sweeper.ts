import { randomUUID } from 'node:crypto';
import { MikroORM } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { CreateRequestContext } from '@mikro-orm/decorators/legacy';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SingleRunner } from '../../shared/database/single-runner.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { DeliveryClaims } from './batches/delivery-claims.service.js';
import { DeliveryJobs } from './scheduling/delivery-jobs.service.js';
import { RangeLeases } from './scheduling/range-leases.service.js';
import { SendExpansions } from './expansion/send-expansions.service.js';
import { SendFinalizer } from './send-finalizer.service.js';
import { SendRetries } from './expansion/send-retries.service.js';
import { DeliveryTuning } from './delivery-tuning.js';

/** Interval of the first sweeps of a newly started worker, in ms. */
const FIRST_SWEEPS_MS = 500;
/**
 * Ms after the length of a slice. After that time, the ranges of a dead worker are free, so the frequent first sweeps
 * stop.
 */
const RANGE_LEFT_MS = 1_500;
/** Maximum sends with waiting ranges that one sweep announces. Each job requests another one while there is work. */
const MAX_ANNOUNCED_SENDS = 20;

/**
 * Finds work that the job queue lost (after a crash, or when Redis was flushed) and finished sends that no worker
 * finalized. Runs on one instance at a time.
 */
@Injectable()
export class DeliverySweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DeliverySweeper.name);
  private timer?: NodeJS.Timeout;
  private firstSweeps?: NodeJS.Timeout;
  private isSweeping = false;
  private sweeping: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly orm: MikroORM,
    private readonly em: EntityManager,
    private readonly single: SingleRunner,
    private readonly deliveryJobs: DeliveryJobs,
    private readonly expansions: SendExpansions,
    private readonly retries: SendRetries,
    private readonly claims: DeliveryClaims,
    private readonly ranges: RangeLeases,
    private readonly finalizer: SendFinalizer,
    private readonly jobs: JobQueue,
    private readonly tuning: DeliveryTuning,
  ) {}

  /**
   * Uses timers instead of @Interval, because tests shorten the interval. A new worker may replace a dead one, so the
   * new worker first sweeps often, until the dead worker's last range is free.
   */
  onApplicationBootstrap(): void {
    // The job ids of a killed worker stay taken for half a minute, and the queue drops a new job whose id is taken.
    // This suffix gives the jobs of the first sweeps ids of their own.
    const anew = `:${randomUUID().slice(0, 8)}`;
    const until = performance.now() + this.tuning.sliceMs + RANGE_LEFT_MS;
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

  @CreateRequestContext<DeliverySweeper>((sweeper) => sweeper.orm)
  async sweep(anew?: string): Promise<void> {
    await this.announceLost(anew);
  }

  /** Announces work that no worker has, finalizes sends that are over, and removes the ranges of ended sends. */
  async announceLost(anew?: string): Promise<void> {
    const open = new Set([...(await this.expansions.open()), ...(await this.retries.open())]);
    await this.jobs.enqueueAll(
      'layouts',
      [...open].map((sendId) => ({ payload: { sendId }, jobId: `${sendId}${anew ?? ''}` })),
    );
    let announced = 0;
    for (const { sendId, state } of await this.claims.sendsWithoutWorker()) {
      if (state === 'due') await this.deliveryJobs.announceDue(sendId, anew);
      else if (state === 'waiting') {
        if (announced++ < MAX_ANNOUNCED_SENDS) await this.deliveryJobs.announce(sendId, anew);
      } else if (state === 'lost' && (await this.claims.rebuildRanges(sendId)))
        await this.deliveryJobs.announce(sendId, anew);
      else await this.finalizer.finalizeIfDone(sendId);
    }
    await this.ranges.removeEnded();
  }
}
