import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { DeliveryClaims } from './delivery-claims.service.js';
import { DeliveryQueue } from './scheduling/delivery-queue.service.js';

/** Jobs that wait already; each of them finds what another one would be told. */
const ENOUGH = 20;
/** Jobs that are put off at the same time share names of half a second, so many of each. */
const SLOT_MS = 500;
const NAMES = 8;

/**
 * Tells workers that there is something to deliver. A job is a hint only: what it does is decided in the database (DeliveryScheduler), and lost
 * ones are made up for by the sweeper. Each job that found work asks for another one, so their number stays as high as the workers have room.
 */
@Injectable()
export class DeliveryTickets {
  constructor(
    private readonly claims: DeliveryClaims,
    private readonly queue: DeliveryQueue,
    private readonly jobs: JobQueue,
  ) {}

  /** Tells of a send that has ranges now. @param anew makes the job's name new: a dead worker's jobs keep their names for half a minute */
  async announce(sendId: string, anew = ''): Promise<void> {
    await this.jobs.enqueue('deliveries', {}, { jobId: `${sendId}${anew}` });
  }

  /** Tells of what of a send is due, messages to be tried again among it. @returns false where nothing is */
  async issue(sendId: string, anew = ''): Promise<boolean> {
    const isDue = await this.queue.openRetries(sendId);
    if (isDue) await this.announce(sendId, anew || `:${process.hrtime.bigint()}`);
    return isDue;
  }

  /** A turn has ended: there may be more. @param isReady a worker has room: then the job is added however many wait */
  async goOn(isReady = false): Promise<void> {
    if (!isReady && (await this.jobs.waiting('deliveries')) >= ENOUGH) return;
    await this.jobs.enqueue('deliveries', { goesOn: true });
  }

  /** Puts what a job was to do off. */
  async putOff(delayMs: number, look?: string): Promise<void> {
    await this.at(delayMs, look ?? String(Math.floor(Math.random() * NAMES)), look);
  }

  /** Has a worker look at the send, whether something is due or not. */
  async wake(sendId: string): Promise<void> {
    await this.jobs.enqueue('deliveries', { look: sendId });
  }

  /** Has a worker look at the send when its next row is to be tried again. */
  async later(sendId: string): Promise<void> {
    const next = await this.claims.nextRetry(sendId);
    if (next) await this.at(Math.ceil(next.delayMs), sendId, sendId);
  }

  /** At the next half second after a pause: one job for all that name the same one. A job under way has the name of an earlier half second and keeps none out. */
  private async at(delayMs: number, name: string, look?: string): Promise<void> {
    const now = Date.now();
    const slot = Math.floor((now + delayMs) / SLOT_MS) + 1;
    await this.jobs.enqueue('deliveries', { look }, { delayMs: slot * SLOT_MS - now, jobId: `${name}:at${slot}` });
  }
}
