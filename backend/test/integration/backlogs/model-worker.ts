import { DeliverRange } from '../../../src/modules/delivery/batches/deliver-range.job.js';
import { DeliveryClaims } from '../../../src/modules/delivery/batches/delivery-claims.service.js';
import { CancelRemaining } from '../../../src/modules/delivery/cancel-remaining.service.js';
import { DeliverySweeper } from '../../../src/modules/delivery/delivery-sweeper.js';
import { DeliveryTuning } from '../../../src/modules/delivery/delivery-tuning.js';
import type { RetrySchedule } from '../../../src/modules/delivery/retry-schedule.js';
import { DeliveryJobs } from '../../../src/modules/delivery/scheduling/delivery-jobs.service.js';
import { DeliveryScheduler } from '../../../src/modules/delivery/scheduling/delivery-scheduler.service.js';
import { RangeLeases } from '../../../src/modules/delivery/scheduling/range-leases.service.js';
import { SLOTS } from '../../../src/modules/delivery/scheduling/fair-share.js';
import { SendFinalizer } from '../../../src/modules/delivery/send-finalizer.service.js';
import { BacklogLeases } from '../../../src/modules/delivery/throttling/backlogs/backlog-leases.service.js';
import { BacklogDispatcher } from '../../../src/modules/delivery/throttling/backlogs/backlog-dispatcher.service.js';
import { DeliveryBacklogs } from '../../../src/modules/delivery/throttling/backlogs/delivery-backlogs.service.js';
import { SendRecords, SendStates, SendTotalsReader } from '../../../src/modules/history/index.js';
import { SendControls } from '../../../src/modules/sending/send-controls.service.js';
import type { Actor } from './gated-database.js';
import { ModelDelivery, ModelThrottles } from './model-hand-over.js';
import { FairnessWatch, WatchedBacklogs } from './model-fairness.js';
import type { World } from './model-world.js';

const tuning = Object.assign(new DeliveryTuning(), { range: 6, claim: 6, smallSend: 4 });
const schedule = { literal: '{1,2}' } as RetrySchedule;
const usage = { release: () => Promise.resolve(), recount: () => Promise.resolve() };
const NOTHING = { heldForMs: () => 0, largest: Infinity };
const nobody = () => Promise.resolve([]);

/** The services of web processes and workers that change sends, on the connections of one process. */
function services(world: World, actor: Actor) {
  const { em } = actor;
  const claims = new DeliveryClaims(em, schedule, tuning);
  const leases = new RangeLeases(em, tuning);
  const jobs = {
    enqueue: (_queue: string, payload: object, { delayMs, jobId }: { delayMs?: number; jobId?: string } = {}) => {
      world.enqueue(payload, delayMs, jobId);
      return Promise.resolve();
    },
    enqueueAll: () => Promise.resolve(),
    waiting: () => Promise.resolve(world.jobs.length),
  };
  const deliveryJobs = new DeliveryJobs(claims, leases, jobs as never);
  const remaining = new CancelRemaining(em);
  const finalizer = new SendFinalizer(
    em,
    new SendRecords(usage as never),
    new SendTotalsReader(em),
    { emit: () => Promise.resolve() } as never,
    remaining,
    { write: () => Promise.resolve() } as never,
  );
  return { em, claims, leases, jobs, deliveryJobs, remaining, finalizer };
}

/** The product's controls for pausing, cancelling and resuming sends. */
export function controlsOf(world: World, actor: Actor): SendControls {
  const { em, deliveryJobs, remaining, finalizer } = services(world, actor);
  const report = { assertOwn: () => Promise.resolve(), entry: () => Promise.resolve({}) };
  return new SendControls(
    em,
    new SendStates(usage as never),
    report as never,
    { drop: () => Promise.resolve() } as never,
    remaining,
    finalizer,
    { isOpen: () => Promise.resolve(false) } as never,
    deliveryJobs,
    new DeliveryBacklogs(em),
  );
}

class ModelDispatcher extends BacklogDispatcher {
  world!: World;
  actor!: Actor;
  watch!: FairnessWatch;

  override async serve(provider: string): Promise<void> {
    await super.serve(provider);
    this.watch.end(provider);
  }

  protected override now(): number {
    return this.world.clock;
  }

  protected override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.world.sleep(this.actor, ms, signal);
  }
}

/** Leases whose renewal timer ends with the process. */
class ModelLeases extends BacklogLeases {
  private readonly open = new Map<object, () => void>();

  override hold(provider: string, sendIds: readonly string[]): (sendId: string) => void {
    const letGo = super.hold(provider, sendIds);
    this.open.set(letGo, () => sendIds.forEach(letGo));
    return letGo;
  }

  drop(): void {
    for (const letGo of this.open.values()) letGo();
  }
}

/** A worker process made of the product's own services. It gives its messages to the simulated providers. */
export class ModelWorker {
  readonly dispatcher: ModelDispatcher;
  private readonly delivery: ModelDelivery;
  private readonly ranges: DeliverRange;
  private readonly sweeper: DeliverySweeper;
  private readonly leases: ModelLeases;
  private jobs = 0;

  constructor(
    private readonly world: World,
    readonly actor: Actor,
  ) {
    const { em, claims, leases, jobs, deliveryJobs, remaining, finalizer } = services(world, actor);
    const watch = new FairnessWatch(world, actor, tuning.smallSend);
    const backlogs = new WatchedBacklogs(em, watch);
    const throttles = new ModelThrottles(world);
    const sends = { load: (id: string) => Promise.resolve({ id }) };
    const logs = { recover: async () => ({ requeued: 0, leasesEndedBefore: await claims.databaseTime() }) };
    remaining.recoverLogsBy(logs.recover);
    this.delivery = new ModelDelivery(world, actor, throttles, claims, backlogs);
    this.leases = new ModelLeases(backlogs);
    this.ranges = new DeliverRange(
      new DeliveryScheduler(leases),
      leases,
      sends as never,
      claims,
      backlogs,
      throttles as never,
      this.delivery as never,
      NOTHING as never,
      logs as never,
      finalizer,
      NOTHING as never,
      jobs as never,
      { assign: () => undefined } as never,
      deliveryJobs,
      tuning,
    );
    this.dispatcher = new ModelDispatcher(
      backlogs,
      this.leases,
      throttles as never,
      claims,
      sends as never,
      this.delivery as never,
      NOTHING as never,
      NOTHING as never,
      deliveryJobs,
      finalizer,
      tuning,
    );
    Object.assign(this.dispatcher, { world, actor, watch });
    this.sweeper = new DeliverySweeper(
      undefined as never,
      em,
      undefined as never,
      deliveryJobs,
      { open: nobody } as never,
      { open: nobody } as never,
      claims,
      leases,
      finalizer,
      jobs as never,
      tuning,
    );
    this.dispatcher.onApplicationBootstrap();
  }

  /** Takes jobs from the queue as Bull does. */
  takeJobs(): void {
    while (!this.actor.isDead && this.jobs < SLOTS.all) {
      const payload = this.world.dueJob();
      if (!payload) return;
      this.jobs++;
      void this.ranges
        .handle(payload)
        .catch(() => undefined)
        .finally(() => this.jobs--);
    }
  }

  /** Runs what the worker's timers do. */
  renew(): void {
    for (const renewing of [this.leases.renew(), this.delivery.renew()]) renewing.catch(() => undefined);
  }

  async sweep(): Promise<void> {
    await this.sweeper.announceLost().catch(() => undefined);
  }

  kill(outcome: 'lost' | 'lost after commit'): void {
    this.actor.kill(outcome);
    this.leases.drop();
  }

  get isIdle(): boolean {
    return this.jobs === 0;
  }
}
