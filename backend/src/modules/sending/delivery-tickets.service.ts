import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { DeliveryClaims, type DueRange } from './delivery-claims.service.js';
import { rangeAt, rangeJobId, type Range } from './delivery-ranges.js';
import { SendingTuning } from './sending-tuning.js';

/**
 * Which range of a send is delivered next. Only a few ranges of one send wait in the queue at a time, and each that is done asks for the next
 * ones, at the queue's end: sends take turns, so a small one never waits for a large one to finish. A ticket is a hint only; lost
 * ones are issued again by the sweeper, doubled ones are told apart by their name.
 */
@Injectable()
export class DeliveryTickets {
  constructor(
    private readonly claims: DeliveryClaims,
    private readonly jobs: JobQueue,
    private readonly tuning: SendingTuning,
  ) {}

  /**
   * Asks for the send's next ranges, those after a position first, and for those to be tried again.
   * @param anew a word that makes the names of the jobs new: a dead worker's jobs keep their names for half a minute @returns false where nothing is due
   */
  async issue(sendId: string, after = 0, anew = ''): Promise<boolean> {
    return this.enqueue(sendId, await this.claims.due(sendId, after, this.tuning.tickets), anew);
  }

  /**
   * Ends a range that a job is done with and asks for the send's next ones.
   * @returns whether the range is gone, whether a dead worker left rows of it, and whether anything else is due
   */
  async finish(range: Range): Promise<{ isGone: boolean; hasUnknown: boolean; isMore: boolean }> {
    const { due, ...state } = await this.claims.finishRange(range, this.tuning.tickets);
    return { ...state, isMore: await this.enqueue(range.sendId, due) };
  }

  private async enqueue(sendId: string, due: readonly DueRange[], anew = ''): Promise<boolean> {
    await this.jobs.enqueueAll('deliveries', due.map(({ from, to, attempt }) => ({ payload: { sendId, from, to }, jobId: rangeJobId({ sendId, from, to }, attempt) + anew })));
    return due.length > 0;
  }

  /** Asks for a range again, after a pause or for the part of it that its turn was too short for. Who asks for the same half second asks once. */
  async again(range: Range, delayMs = 0): Promise<void> {
    const at = Date.now() + delayMs;
    await this.jobs.enqueue('deliveries', range, { delayMs: delayMs || undefined, jobId: `${rangeJobId(range, 0)}:at${delayMs > 0 ? Math.round(at / 500) * 500 : at}` });
  }

  /** Has a worker look at the send, whether something is due or not. */
  async wake(sendId: string): Promise<void> {
    await this.again(rangeAt(sendId, 0, this.tuning.range));
  }

  /** Asks for the send when its next row is to be tried again. */
  async later(sendId: string): Promise<void> {
    const next = await this.claims.nextRetry(sendId);
    if (!next) return;
    const payload = rangeAt(sendId, next.chunk, this.tuning.range);
    const delayMs = Math.ceil(next.delayMs) + 20;
    // One name for all that want the same half second.
    await this.jobs.enqueue('deliveries', payload, { delayMs, jobId: `${sendId}:due${Math.round((Date.now() + delayMs) / 500)}` });
  }
}
