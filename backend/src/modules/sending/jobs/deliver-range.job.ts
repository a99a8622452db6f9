import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { HistoryBook } from '../../history/index.js';
import { CONTACT_TYPE_OF_SEND, type ContactType } from '../../../shared/words/contact-type.js';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { DeliveryTickets } from '../delivery-tickets.service.js';
import { DeliveryClaims } from '../delivery-claims.service.js';
import type { Range } from '../delivery-ranges.js';
import { MessageComposer } from '../message-composer.js';
import { SendLane } from '../send-lane.service.js';
import { SendingTuning } from '../sending-tuning.js';
import { SendOutcome } from '../send-outcome.service.js';
import { BatchDelivery } from './batch-delivery.service.js';
import { GroupJournal } from './group-journal.service.js';
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
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly composer: MessageComposer,
    private readonly claims: DeliveryClaims,
    private readonly batches: BatchDelivery,
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
    if (this.lane.heldForMs()) return this.tickets.again(range, this.lane.heldForMs());
    const { underWay, isDone } = await this.deliver(range);
    const end = this.finish(range, underWay, isDone).catch((error: unknown) => this.log.error({ err: error }, 'a range could not be finished; the sweeper finds it again'));
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

  /** How long nothing should be begun: the mail server, or the database, is in trouble. */
  private get pauseMs(): number {
    return this.lane.heldForMs() || (this.batches.isInTrouble ? TROUBLE_MS : 0);
  }

  private async deliver(range: Range): Promise<{ underWay: UnderWay; isDone: boolean }> {
    const underWay = new UnderWay();
    const entry = await this.book.byId(this.em, range.sendId);
    if (!entry) return { underWay, isDone: true };
    this.turns++;
    try {
      const send = { ...this.composer.prepare(entry), contactType: CONTACT_TYPE_OF_SEND[entry.emailType] satisfies ContactType };
      const end = Date.now() + this.tuning.turnMs;
      const isOver = (): boolean => this.stopping || Date.now() > end;
      for (let taken = 0; !isOver() && this.pauseMs === 0; ) {
        const batch = await this.claims.claim(range);
        if (batch.length === 0) {
          if (await this.recover(range)) continue;
          return { underWay, isDone: true };
        }
        // All of it was due: it has its results on their way, or was given back for later.
        taken += await this.batches.deliver(send, batch, isOver, underWay);
        if (taken > range.to - range.from && !isOver()) return { underWay, isDone: true };
      }
      return { underWay, isDone: false };
    } finally {
      this.turns--;
    }
  }

  /** Rows whose worker died after marking them; what it knew of them is in its journals, where these can be read here. @returns whether some can go out at once */
  private async recover(range: Range): Promise<boolean> {
    if (!(await this.claims.hasUnknown(range))) return false;
    await this.journal.recover();
    const unsent = await this.groups.recover();
    await this.claims.recoverUnknown(range);
    return unsent > 0;
  }

  /** The next turns are asked for at once; the last answers of this one may still be on their way. */
  private async finish(range: Range, underWay: UnderWay, isDone: boolean): Promise<void> {
    const { sendId } = range;
    const held = this.pauseMs;
    const more = !this.stopping && (!isDone || held ? (await this.tickets.again(range, held), true) : await this.tickets.issue(sendId, range.to));
    await underWay.ended();
    if (more || this.stopping || (await this.tickets.issue(sendId))) return;
    await this.tickets.later(sendId);
    await this.outcome.recompute(sendId);
  }
}
