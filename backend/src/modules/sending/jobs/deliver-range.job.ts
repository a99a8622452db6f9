import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Accounts } from '../../auth/index.js';
import { HistoryBook } from '../../history/index.js';
import { CONTACT_TYPE_OF_SEND, type ContactType } from '../../../shared/words/contact-type.js';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { DeliveryClaims, type Claim, type Settled } from '../delivery-claims.service.js';
import { rangeJobId, type Range } from '../delivery-ranges.js';
import { BatchDelivery } from './batch-delivery.service.js';
import { MessageComposer } from '../message-composer.js';
import { SendLane } from '../send-lane.service.js';
import { SendOutcome } from '../send-outcome.service.js';

/** Jobs of one worker side by side; each hands over SendingTuning.parallel messages at a time. */
const CONCURRENCY = 2;

/** Delivers a range of a send: claims its due rows until none is left. Harmless to run twice, the rows decide. */
@JobHandler('deliveries', CONCURRENCY)
export class DeliverRange implements HandlesJob<'deliveries'>, BeforeApplicationShutdown {
  private readonly log = new Logger(DeliverRange.name);
  private readonly running = new Set<Promise<void>>();
  private stopping = false;

  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly accounts: Accounts,
    private readonly composer: MessageComposer,
    private readonly claims: DeliveryClaims,
    private readonly batches: BatchDelivery,
    private readonly outcome: SendOutcome,
    private readonly lane: SendLane,
    private readonly jobs: JobQueue,
  ) {}

  async handle(range: Range): Promise<void> {
    const work = this.deliver(range);
    const all = work.then((underWay) => this.finish(range, underWay)).catch((error: unknown) => this.log.error({ err: error }, 'a range could not be finished; the sweeper finds it again'));
    this.running.add(all);
    void all.finally(() => this.running.delete(all));
    void (await work);
  }

  /** Claims nothing new, leaves waiting jobs to other workers and lets the messages that are being handed over finish. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.race([this.jobs.queue('deliveries').pause(true, true), pause(2000, undefined, { ref: false })]).catch(() => undefined);
    await Promise.allSettled(this.running);
  }

  private async deliver(range: Range): Promise<Promise<void>[]> {
    const underWay: Promise<void>[] = [];
    if (this.stopping || this.lane.heldForMs()) return underWay;
    const entry = await this.book.byId(this.em, range.sendId);
    if (!entry) return underWay;
    const send = { ...this.composer.prepare(entry), contactType: CONTACT_TYPE_OF_SEND[entry.emailType] satisfies ContactType };
    await this.claims.recoverUnknown(range);
    while (!this.stopping && !this.lane.heldForMs()) {
      const batch = await this.claims.claim(range);
      if (batch.length === 0) break;
      if ((await this.accounts.byId(entry.userId))?.suspendedAt) await this.claims.settle(batch.map(ofSuspended));
      else underWay.push(...(await this.batches.deliver(send, batch, () => this.stopping)));
    }
    return underWay;
  }

  /** The next job may run already while the last answers come in. */
  private async finish(range: Range, underWay: Promise<void>[]): Promise<void> {
    await Promise.allSettled(underWay);
    await this.outcome.recompute(range.sendId);
    if (!this.stopping) await this.comeBack(range);
  }

  /** Asks for the range again when its next row is due; lost, the sweeper finds it. */
  private async comeBack(range: Range): Promise<void> {
    const held = this.lane.heldForMs();
    const next = held ? { delayMs: held, attempt: 0 } : await this.claims.nextDue(range);
    if (!next) return;
    const delayMs = Math.ceil(next.delayMs) + 20;
    await this.jobs.enqueue('deliveries', range, { delayMs, jobId: `${rangeJobId(range, next.attempt)}:at${Date.now() + delayMs}` });
  }
}

/** A suspended account's queued mail stops (decisions.md D42). */
const ofSuspended = ({ id, attempt }: Claim): Settled => ({ id, attempt, status: 'skipped', metadata: { reason: 'The sending account was suspended' } });
