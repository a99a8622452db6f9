import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { setTimeout as pause } from 'node:timers/promises';
import { type HandlesJob, JobHandler, type JobPayloads } from '../../../shared/jobs/job-handler.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { describeSpan } from '../../../shared/tracing/spans.js';
import { DeliveryBacklogs } from '../throttling/backlogs/delivery-backlogs.service.js';
import { type Claim, DeliveryClaims } from './delivery-claims.service.js';
import { DeliveryJobs } from '../scheduling/delivery-jobs.service.js';
import type { PositionRange } from '../entities/delivery-range.entity.js';
import { RangeLeases, type LeasedRange } from '../scheduling/range-leases.service.js';
import { DeliveryScheduler } from '../scheduling/delivery-scheduler.service.js';
import { SLOTS } from '../scheduling/fair-share.js';
import { OutboundCircuitBreaker } from '../outbound-circuit-breaker.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import { SendFinalizer } from '../send-finalizer.service.js';
import { ProviderThrottles } from '../throttling/provider-throttles.service.js';
import { AttachmentsUnavailable } from '../message/attachment-encoder.service.js';
import { BatchDelivery, type Delivered } from './batch-delivery.service.js';
import { SendLoader } from './send-loader.service.js';
import { BatchPreparer } from './batch-preparer.service.js';
import { LogRecovery } from '../results/log-recovery.service.js';
import { PendingCounter } from './in-flight-message.js';

const RETRY_AFTER_FAULT_SECONDS = 1;
/** Ms after the maximum length of a slice. After that time, the slice's lease has ended. */
const LEASE_ENDED_MS = 1_500;
/** Ms between two checks for due retries of a send that has more ranges. */
const RETRIES_EVERY_MS = 5_000;
/** Cost of moving a message to a backlog, relative to dispatching it. */
const BACKLOG_COST = 0.1;

/** Work done in one slice. */
interface Work {
  underWay: PendingCounter;
  /** Number of messages that moved to backlogs. */
  parked: number;
}

/** Cost of a slice in messages, which is the unit of shares. */
const costOf = ({ underWay, parked }: Work): number => underWay.begun + parked * BACKLOG_COST;

/**
 * Runs one account's slice: delivers the range that the scheduler chooses, until no row of the range is due or the time
 * is up. Running the job twice is safe, because each row is claimed only once.
 */
@JobHandler('deliveries', SLOTS.all)
export class DeliverRange implements HandlesJob<'deliveries'>, BeforeApplicationShutdown {
  private readonly log = new Logger(DeliverRange.name);
  private readonly running = new Set<Promise<void>>();
  private stopping = false;
  private slices = 0;
  /** Number of unfinished slices of this worker per send. The last one checks whether the send has ended. */
  private readonly slicesOf = new Map<string, number>();
  /** Time of the last check for due retries, by send. */
  private readonly retriesCheckedAt = new Map<string, number>();

  constructor(
    private readonly scheduler: DeliveryScheduler,
    private readonly leases: RangeLeases,
    private readonly sends: SendLoader,
    private readonly claims: DeliveryClaims,
    private readonly backlogs: DeliveryBacklogs,
    private readonly throttles: ProviderThrottles,
    private readonly batches: BatchDelivery,
    private readonly preparer: BatchPreparer,
    private readonly logs: LogRecovery,
    private readonly finalizer: SendFinalizer,
    private readonly breaker: OutboundCircuitBreaker,
    private readonly jobs: JobQueue,
    private readonly requestLog: PinoLogger,
    private readonly deliveryJobs: DeliveryJobs,
    private readonly tuning: DeliveryTuning,
  ) {}

  async handle(payload: JobPayloads['deliveries']): Promise<void> {
    if (this.stopping) return;
    this.slices++;
    try {
      await this.runSlice(payload);
    } finally {
      this.slices--;
    }
  }

  private async runSlice({ look, sendId = look, isContinuation }: JobPayloads['deliveries']): Promise<void> {
    if (this.pauseMs > 0) return this.deliveryJobs.postpone(this.pauseMs, sendId);
    if (sendId && !(await this.leases.openRetries(sendId))) await this.end(sendId);
    const slice = await this.scheduler.next(isContinuation === true);
    if (!slice) return;
    const { range } = slice;
    this.requestLog.assign({ sendId: range.sendId });
    describeSpan({ sendId: range.sendId });
    const work = { underWay: new PendingCounter(), parked: 0 };
    this.count(range.sendId, 1);
    let isDone: boolean;
    try {
      if (slice.hasRoomForMore) void this.deliveryJobs.requestNext(true);
      isDone = await this.deliver(range, work);
    } catch (error) {
      // Unreadable attached files are no error of the slice: only this send waits until its files can be read.
      const isWaiting = error instanceof AttachmentsUnavailable;
      await this.releaseFailed(range, work, isWaiting ? this.tuning.holdSeconds : RETRY_AFTER_FAULT_SECONDS);
      this.count(range.sendId, -1);
      if (isWaiting) return;
      throw error;
    } finally {
      this.scheduler.ended(slice);
    }
    const end = this.finish(range, work, isDone).catch(async (error: unknown) => {
      this.log.error(
        { err: error, code: 'range_not_finished' },
        'a range could not be finished; its send is checked when its lease has ended',
      );
      await this.deliveryJobs.postpone(this.tuning.sliceMs + LEASE_ENDED_MS, range.sendId);
    });
    this.running.add(end);
    void end.finally(() => this.running.delete(end));
  }

  /** Claims nothing new, leaves waiting jobs to other workers and finishes the messages in flight. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.race([this.jobs.queue('deliveries').pause(true, true), pause(2000, undefined, { ref: false })]).catch(
      () => undefined,
    );
    while (this.slices > 0) await pause(20);
    await Promise.allSettled(this.running);
  }

  /**
   * Ms during which nothing new may begin, because the mail server or the database has failed or the account's quota is
   * used up.
   */
  private get pauseMs(): number {
    return (
      this.breaker.heldForMs() ||
      this.preparer.heldForMs() ||
      (this.batches.isInTrouble ? RETRY_AFTER_FAULT_SECONDS * 1000 : 0)
    );
  }

  /** @returns whether this slice has nothing left to do in the range */
  private async deliver(range: PositionRange, work: Work): Promise<boolean> {
    const { underWay } = work;
    const send = await this.sends.load(range.sendId);
    if (!send) return true;
    const end = performance.now() + this.tuning.sliceMs;
    const isOver = (): boolean => this.stopping || performance.now() > end;
    while (!isOver() && this.pauseMs === 0) {
      const batch = await this.claims.peekDue(range);
      if (batch.length === 0) {
        if ((await this.claims.hasUnknown(range)) && (await this.recover(range))) continue;
        return true;
      }
      const delivered = await this.batches.deliver(send, batch, isOver, underWay);
      work.parked += delivered.parked.length;
      await this.moveToBacklog(range, batch, delivered);
      // The remaining rows are held by other workers or were released for later.
      if (delivered.undecidedFrom !== Infinity && !isOver()) return true;
      const isLast = batch.length < this.tuning.claim || batch.at(-1)!.position >= range.to;
      if (isLast && !isOver()) return true;
    }
    return false;
  }

  /**
   * Releases the range of a failed slice. Other work continues at once; the range and a job for it become available
   * after the pause. If releasing fails too, the lease ends by itself and the sweeper finds the range.
   */
  private async releaseFailed(range: LeasedRange, work: Work, pauseSeconds: number): Promise<void> {
    try {
      await this.leases.release(range, costOf(work), pauseSeconds);
      await this.deliveryJobs.postpone(pauseSeconds * 1000, range.sendId);
      await this.deliveryJobs.requestNext();
    } catch (error) {
      this.log.error(
        { err: error, code: 'range_not_released' },
        'a range could not be released; it is free when its lease ends',
      );
    }
  }

  /**
   * Moves claims that wait for their provider to a backlog. Fresh claims leave the range; retries lose their due time.
   */
  private async moveToBacklog(
    { sendId, from }: PositionRange,
    batch: readonly Claim[],
    { parked, undecidedFrom }: Delivered,
  ): Promise<void> {
    if (parked.length === 0) return;
    const account = this.throttles.accountInUse;
    await this.backlogs.park(
      sendId,
      parked.filter(({ isRetry }) => isRetry),
      'due',
      account,
    );
    const cursor = batch.find((claim) => claim.cursor !== null)?.cursor;
    const fresh = new Map<string, number[]>();
    let next = 0;
    for (const { position, isRetry } of batch) if (!isRetry && position < undecidedFrom) next = position + 1;
    for (const { position, provider, isRetry } of parked) {
      if (isRetry || position >= undecidedFrom) continue;
      const positions = fresh.get(provider);
      if (positions) positions.push(position);
      else fresh.set(provider, [position]);
    }
    if (fresh.size > 0 && cursor !== undefined && cursor !== null)
      await this.backlogs.advance({ sendId, from }, cursor, next, account, fresh);
    this.throttles.addBacklogged(parked.map(({ provider }) => provider));
  }

  /**
   * Recovers rows whose worker died after marking them.
   * @returns whether some of the messages can be sent at once
   */
  private async recover(range: PositionRange): Promise<boolean> {
    const { requeued, leasesEndedBefore } = await this.logs.recover();
    await this.claims.recoverUnknown(range, leasesEndedBefore);
    return requeued > 0;
  }

  /**
   * Requests the next slice at once, although the last replies of this slice may be outstanding. This slice counts as
   * unfinished until they have arrived.
   */
  private async finish(range: LeasedRange, work: Work, isDone: boolean): Promise<void> {
    let isRequested: boolean;
    try {
      isRequested = await this.requestMore(range, work, isDone);
      await work.underWay.ended();
    } finally {
      this.count(range.sendId, -1);
    }
    if (
      isRequested ||
      this.stopping ||
      this.slicesOf.has(range.sendId) ||
      (await this.deliveryJobs.announceDue(range.sendId))
    )
      return;
    await this.end(range.sendId);
  }

  private count(sendId: string, by: 1 | -1): void {
    const slices = (this.slicesOf.get(sendId) ?? 0) + by;
    if (slices > 0) this.slicesOf.set(sendId, slices);
    else this.slicesOf.delete(sendId);
  }

  /**
   * Finishes the range, or leaves it to the next slice.
   * @returns whether a later slice will check the send again
   */
  private async requestMore(range: LeasedRange, work: Work, isDone: boolean): Promise<boolean> {
    const held = this.pauseMs;
    if (!isDone || held) {
      // The next slice can lease the range only after it is released.
      await this.leases.release(range, costOf(work));
      await (held ? this.deliveryJobs.postpone(held) : this.deliveryJobs.requestNext());
      return true;
    }
    await this.deliveryJobs.requestNext();
    const { isGone, hasUnknown, hasMore } = await this.leases.finish(range, costOf(work));
    // `finish` has already settled the charge for this slice. With `range.charged` as the cost, `release` settles
    // nothing more.
    if (!isGone) await this.leases.release(range, range.charged);
    if (hasUnknown) await this.recover(range);
    return isGone && !hasUnknown && hasMore && !this.mayHaveRetries(range.sendId);
  }

  private mayHaveRetries(sendId: string): boolean {
    const now = performance.now();
    const isDue = (this.retriesCheckedAt.get(sendId) ?? -Infinity) < now - RETRIES_EVERY_MS;
    if (!isDue) return false;
    for (const [other, at] of this.retriesCheckedAt)
      if (at < now - RETRIES_EVERY_MS) this.retriesCheckedAt.delete(other);
    this.retriesCheckedAt.set(sendId, now);
    return true;
  }

  /** Called when nothing of the send is due: finalizes the send, or schedules a job for its next retry. */
  private async end(sendId: string): Promise<void> {
    await this.deliveryJobs.scheduleRetry(sendId);
    await this.finalizer.finalizeIfDone(sendId);
  }
}
