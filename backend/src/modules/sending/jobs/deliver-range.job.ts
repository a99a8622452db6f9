import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { setTimeout as pause } from 'node:timers/promises';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import type { JobPayloads } from '../../../shared/jobs/job-payloads.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { describeSpan } from '../../../shared/tracing/spans.js';
import { DeliveryBacklogs } from '../delivery-backlogs.service.js';
import { type Claim, DeliveryClaims } from '../delivery-claims.service.js';
import { DeliveryTickets } from '../delivery-tickets.service.js';
import type { Range } from '../delivery-ranges.js';
import { DeliveryQueue, type LeasedRange } from '../scheduling/delivery-queue.service.js';
import { DeliveryScheduler } from '../scheduling/delivery-scheduler.service.js';
import { SLOTS } from '../scheduling/fair-share.js';
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

const TROUBLE_MS = 1_000;
/** While further ranges of a send wait, its messages to be tried again are looked for so often. */
const RETRIES_EVERY_MS = 5_000;

/** One account's turn: delivers the range that the scheduler says is next, until none of its due rows is left. Harmless to run twice, the rows decide. */
@JobHandler('deliveries', SLOTS.all)
export class DeliverRange implements HandlesJob<'deliveries'>, BeforeApplicationShutdown {
  private readonly log = new Logger(DeliverRange.name);
  private readonly running = new Set<Promise<void>>();
  private stopping = false;
  private turns = 0;
  /** When messages to be tried again were last looked for, by send. */
  private readonly retriesLookedAt = new Map<string, number>();

  constructor(
    private readonly scheduler: DeliveryScheduler,
    private readonly queue: DeliveryQueue,
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
    private readonly logs: PinoLogger,
    private readonly tickets: DeliveryTickets,
    private readonly tuning: SendingTuning,
  ) {}

  async handle({ look, goesOn }: JobPayloads['deliveries']): Promise<void> {
    if (this.stopping) return;
    if (this.pauseMs > 0) return this.tickets.putOff(this.pauseMs, look);
    if (look && !(await this.queue.openRetries(look))) await this.end(look);
    const turn = await this.scheduler.next(goesOn === true);
    if (!turn) return;
    const { range } = turn;
    this.logs.assign({ sendId: range.sendId });
    describeSpan({ sendId: range.sendId });
    try {
      if (turn.hasRoomForMore) void this.tickets.goOn(true);
      const { underWay, isDone } = await this.deliver(range);
      const end = this.finish(range, underWay, isDone).catch((error: unknown) => this.log.error({ err: error }, 'a range could not be finished; the sweeper finds it again'));
      this.running.add(end);
      void end.finally(() => this.running.delete(end));
    } finally {
      this.scheduler.ended(turn);
    }
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

  /** The next turn is asked for at once; the last answers of this one may still be on their way. */
  private async finish(range: LeasedRange, underWay: UnderWay, isDone: boolean): Promise<void> {
    const goesOn = await this.askForMore(range, underWay, isDone);
    await underWay.ended();
    if (goesOn || this.stopping || (await this.tickets.issue(range.sendId))) return;
    await this.end(range.sendId);
  }

  /** Ends the range, or leaves it to the next turn. @returns whether some later turn will look at the send again */
  private async askForMore(range: LeasedRange, underWay: UnderWay, isDone: boolean): Promise<boolean> {
    const held = this.pauseMs;
    if (!isDone || held) {
      // What is left of it can be leased by the next turn only once it is released.
      await this.queue.release(range, underWay.begun);
      await (held ? this.tickets.putOff(held) : this.tickets.goOn());
      return true;
    }
    await this.tickets.goOn();
    const { isGone, hasUnknown, hasMore } = await this.queue.finish(range, underWay.begun);
    // It was charged for what was begun already.
    if (!isGone) await this.queue.release(range, range.charged);
    if (hasUnknown) await this.recover(range);
    return isGone && !hasUnknown && hasMore && !this.mayHaveRetries(range.sendId);
  }

  private mayHaveRetries(sendId: string): boolean {
    const now = Date.now();
    const isDue = (this.retriesLookedAt.get(sendId) ?? 0) < now - RETRIES_EVERY_MS;
    if (!isDue) return false;
    for (const [other, at] of this.retriesLookedAt) if (at < now - RETRIES_EVERY_MS) this.retriesLookedAt.delete(other);
    this.retriesLookedAt.set(sendId, now);
    return true;
  }

  /** Nothing of the send is due: it has ended, or is looked at again when something is. */
  private async end(sendId: string): Promise<void> {
    await this.tickets.later(sendId);
    await this.outcome.recompute(sendId);
  }
}
