import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { DeliveryClaims } from '../batches/delivery-claims.service.js';
import { RangeLeases } from './range-leases.service.js';

/** While this many jobs wait, no further job is added, because each waiting job finds the same work. */
const MAX_WAITING_JOBS = 20;
/**
 * Delayed jobs are rounded up to half seconds. Jobs without a send share NAMES names per half second, so that they do
 * not pile up.
 */
const SLOT_MS = 500;
const NAMES = 8;

/**
 * Announces work to the delivery workers. A job is only a hint: DeliveryScheduler decides in the database what the job
 * does, and the sweeper compensates for lost jobs. Each job that finds work requests another one, so the number of jobs
 * follows the workers' capacity.
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
   * @param anew suffix that makes the job's name unique. The names of a dead worker's jobs stay in use for half a
   * minute
   */
  async announce(sendId: string, anew = ''): Promise<void> {
    await this.jobs.enqueue('deliveries', {}, { jobId: `${sendId}${anew}` });
  }

  /**
   * Announces a send if any of its work is due, including retries.
   * @returns whether anything is due
   */
  async announceDue(sendId: string, anew = ''): Promise<boolean> {
    const isDue = await this.leases.openRetries(sendId);
    if (isDue) await this.announce(sendId, anew || `:${process.hrtime.bigint()}`);
    return isDue;
  }

  /**
   * Requests another job after a slice.
   * @param isReady whether a worker has a free slot, so that the job is added however many jobs wait
   */
  async requestNext(isReady = false): Promise<void> {
    if (!isReady && (await this.jobs.waiting('deliveries')) >= MAX_WAITING_JOBS) return;
    await this.jobs.enqueue('deliveries', { isContinuation: true });
  }

  /**
   * Enqueues a job that runs after a delay.
   * @param sendId a send that the job checks before it asks the scheduler for work; absent: none
   */
  async postpone(delayMs: number, sendId?: string): Promise<void> {
    await this.enqueueAt(delayMs, sendId ?? String(Math.floor(Math.random() * NAMES)), sendId);
  }

  /** Makes a worker check the send, whether or not anything is due. */
  async wake(sendId: string): Promise<void> {
    await this.jobs.enqueue('deliveries', { sendId });
  }

  /** Makes a worker check the send when its next retry is due. */
  async scheduleRetry(sendId: string): Promise<void> {
    const next = await this.claims.nextRetry(sendId);
    if (next) await this.enqueueAt(Math.ceil(next.delayMs), sendId, sendId);
  }

  /**
   * Enqueues a job for the next half second after the delay, at most one per name. A job that is already running has
   * the name of an earlier half second, so it does not block this one.
   */
  private async enqueueAt(delayMs: number, name: string, sendId?: string): Promise<void> {
    const now = Date.now();
    const slot = Math.floor((now + delayMs) / SLOT_MS) + 1;
    await this.jobs.enqueue('deliveries', { sendId }, { delayMs: slot * SLOT_MS - now, jobId: `${name}:at${slot}` });
  }
}
