import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { DeliveryClaims } from '../batches/delivery-claims.service.js';
import { RangeLeases } from './range-leases.service.js';

/** Enough waiting jobs: each of them finds the work that another job would announce. */
const MAX_WAITING_JOBS = 20;
/** Delayed jobs share names per half second, up to NAMES of them, so that they do not pile up. */
const SLOT_MS = 500;
const NAMES = 8;

/**
 * Announces work to the delivery workers. A job is only a hint: DeliveryScheduler decides in the database what it does,
 * and the sweeper makes up for lost jobs. Each job that found work requests another, so the number of jobs follows the
 * workers' capacity.
 */
@Injectable()
export class DeliveryJobs {
  constructor(
    private readonly claims: DeliveryClaims,
    private readonly leases: RangeLeases,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Announces a send that has ranges.
   * @param anew suffix that makes the job's name unique, because the names of a dead worker's jobs stay in use for half
   * a minute
   */
  async announce(sendId: string, anew = ''): Promise<void> {
    await this.jobs.enqueue('deliveries', {}, { jobId: `${sendId}${anew}` });
  }

  /**
   * Announces what is due of a send, retries included.
   * @returns false where nothing is due
   */
  async announceDue(sendId: string, anew = ''): Promise<boolean> {
    const isDue = await this.leases.openRetries(sendId);
    if (isDue) await this.announce(sendId, anew || `:${process.hrtime.bigint()}`);
    return isDue;
  }

  /**
   * Requests the next job after a slice.
   * @param isReady a worker has a free slot: the job is added however many wait
   */
  async requestNext(isReady = false): Promise<void> {
    if (!isReady && (await this.jobs.waiting('deliveries')) >= MAX_WAITING_JOBS) return;
    await this.jobs.enqueue('deliveries', { isContinuation: true });
  }

  /** Repeats a job after a delay. */
  async postpone(delayMs: number, sendId?: string): Promise<void> {
    await this.enqueueAt(delayMs, sendId ?? String(Math.floor(Math.random() * NAMES)), sendId);
  }

  /** Has a worker check the send, whether something is due or not. */
  async wake(sendId: string): Promise<void> {
    await this.jobs.enqueue('deliveries', { sendId });
  }

  /** Has a worker check the send when its next retry is due. */
  async scheduleRetry(sendId: string): Promise<void> {
    const next = await this.claims.nextRetry(sendId);
    if (next) await this.enqueueAt(Math.ceil(next.delayMs), sendId, sendId);
  }

  /**
   * Enqueues at the next half second after the delay, one job per name. A running job has the name of an earlier half
   * second and does not block it.
   */
  private async enqueueAt(delayMs: number, name: string, sendId?: string): Promise<void> {
    const now = Date.now();
    const slot = Math.floor((now + delayMs) / SLOT_MS) + 1;
    await this.jobs.enqueue('deliveries', { sendId }, { delayMs: slot * SLOT_MS - now, jobId: `${name}:at${slot}` });
  }
}
