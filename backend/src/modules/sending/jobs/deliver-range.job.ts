import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { DeliveryBacklogs } from '../delivery-backlogs.service.js';
import { type Claim, DeliveryClaims } from '../delivery-claims.service.js';
import { DeliveryTickets } from '../delivery-tickets.service.js';
import type { Range } from '../delivery-ranges.js';
import { SendLane } from '../send-lane.service.js';
import { SendingTuning } from '../sending-tuning.js';
import { SendOutcome } from '../send-outcome.service.js';
import { ProviderThrottles } from '../throttling/provider-throttles.service.js';
import { BatchDelivery, type Delivered } from './batch-delivery.service.js';
import { DeliverableSends } from './deliverable-sends.service.js';
import { GroupJournal } from './group-journal.service.js';
import { GroupMaker } from './group-maker.service.js';
import { ResultJournal } from './result-journal.service.js';
import { UnderWay } from './under-way.js';

/** Jobs of one worker side by side; each hands over SendingTuning.parallel messages at a time. */
const CONCURRENCY = 2;

const TROUBLE_MS = 1_000;

/** Delivers a range of a send: claims its due rows until none is left. Harmless to run twice, the rows decide. */
@JobHandler('deliveries', CONCURRENCY)
export class DeliverRange implements HandlesJob<'deliveries'>, BeforeApplicationShutdown {
  private readonly log = new Logger(DeliverRange.name);
  private readonly running = new Set<Promise<void>>();
  private stopping = false;
  private turns = 0;

  constructor(
    private readonly sends: DeliverableSends,
    private readonly claims: DeliveryClaims,
    private readonly backlogs: DeliveryBacklogs,
    private readonly throttles: ProviderThrottles,
    private readonly batches: BatchDelivery,
    private readonly maker: GroupMaker,
    private readonly journal: ResultJournal,
    private readonly groups: GroupJournal,
    private readonly outcome: SendOutcome,
    private readonly lane: SendLane,
    private readonly jobs: JobQueue,
    private readonly tickets: DeliveryTickets,
    private readonly tuning: SendingTuning,
  ) {}

  async handle(range: Range): Promise<void> {
    if (this.stopping) return;
    if (this.pauseMs > 0) return this.tickets.again(range, this.pauseMs);
    const job = randomUUID();
    if (await this.claims.leaseRange(range, job)) return;
    const { underWay, isDone } = await this.deliver(range);
    const end = this.finish(range, job, underWay, isDone).catch((error: unknown) => this.log.error({ err: error }, 'a range could not be finished; the sweeper finds it again'));
    this.running.add(end);
    void end.finally(() => this.running.delete(end));
  }

  /** Claims nothing new, leaves waiting jobs to other workers and lets the messages that are being handed over finish. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.race([this.jobs.queue('deliveries').pause(true, true), pause(2000, undefined, { ref: false })]).catch(() => undefined);
    while (this.turns > 0) await pause(20);
    await Promise.allSettled(this.running);
  }

  /** How long nothing should be begun: the mail server, or the database, is in trouble, or the account may take no more for now. */
  private get pauseMs(): number {
    return this.lane.heldForMs() || this.maker.heldForMs() || (this.batches.isInTrouble ? TROUBLE_MS : 0);
  }

  private async deliver(range: Range): Promise<{ underWay: UnderWay; isDone: boolean }> {
    const underWay = new UnderWay();
    const send = await this.sends.of(range.sendId);
    if (!send) return { underWay, isDone: true };
    this.turns++;
    try {
      const end = Date.now() + this.tuning.turnMs;
      const isOver = (): boolean => this.stopping || Date.now() > end;
      while (!isOver() && this.pauseMs === 0) {
        const batch = await this.claims.claim(range);
        if (batch.length === 0) {
          if ((await this.claims.hasUnknown(range)) && (await this.recover(range))) continue;
          return { underWay, isDone: true };
        }
        const delivered = await this.batches.deliver(send, batch, isOver, underWay);
        await this.leaveParked(range, batch, delivered);
        // The rest of it is somebody else's, or was given back for later.
        if (delivered.undecidedFrom !== Infinity && !isOver()) return { underWay, isDone: true };
        const isLast = batch.length < this.tuning.claim || batch.at(-1)!.position >= range.to;
        if (isLast && !isOver()) return { underWay, isDone: true };
      }
      return { underWay, isDone: false };
    } finally {
      this.turns--;
    }
  }

  /** What has to wait for its provider leaves the range for a backlog; what was tried before leaves its time to be tried again. */
  private async leaveParked({ sendId, from }: Range, batch: readonly Claim[], { parked, undecidedFrom }: Delivered): Promise<void> {
    if (parked.length === 0) return;
    const account = this.throttles.accountInUse;
    await this.backlogs.park(sendId, parked.filter(({ isRetry }) => isRetry), 'due', account);
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
    if (fresh.size > 0 && cursor !== undefined && cursor !== null) await this.backlogs.advance({ sendId, from }, cursor, next, account, fresh);
    this.throttles.addBacklogged(parked.map(({ provider }) => provider));
  }

  /** Rows whose worker died after marking them; what it knew of them is in its journals, where these can be read here. @returns whether some can go out at once */
  private async recover(range: Range): Promise<boolean> {
    await this.journal.recover();
    const unsent = await this.groups.recover();
    await this.claims.recoverUnknown(range);
    return unsent > 0;
  }

  /** The next turns are asked for at once; the last answers of this one may still be on their way. */
  private async finish(range: Range, job: string, underWay: UnderWay, isDone: boolean): Promise<void> {
    const { sendId } = range;
    const more = await this.askForMore(range, job, isDone);
    await underWay.ended();
    if (more || this.stopping || (await this.tickets.issue(sendId))) return;
    await this.tickets.later(sendId);
    await this.outcome.recompute(sendId);
  }

  /** Ends the range, or leaves it to the next job. @returns whether some job will look at the send again */
  private async askForMore(range: Range, job: string, isDone: boolean): Promise<boolean> {
    const held = this.pauseMs;
    if (!isDone || held) {
      await this.claims.releaseRange(range, job);
      if (!this.stopping) await this.tickets.again(range, held);
      return !this.stopping;
    }
    const { isGone, hasUnknown, isMore } = await this.tickets.finish(range);
    if (isGone && !hasUnknown) return isMore;
    if (!isGone) await this.claims.releaseRange(range, job);
    if (hasUnknown) await this.recover(range);
    return !this.stopping && (await this.tickets.issue(range.sendId, range.to));
  }
}
