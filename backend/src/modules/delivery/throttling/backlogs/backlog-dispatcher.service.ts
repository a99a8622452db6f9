import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { BacklogLeases } from './backlog-leases.service.js';
import { type BacklogSlice, DeliveryBacklogs, type LeasedBacklog } from './delivery-backlogs.service.js';
import { type Claim, DeliveryClaims } from '../../batches/delivery-claims.service.js';
import { DeliveryJobs } from '../../scheduling/delivery-jobs.service.js';
import { OutboundCircuitBreaker } from '../../outbound-circuit-breaker.js';
import { SendFinalizer } from '../../send-finalizer.service.js';
import { DeliveryTuning } from '../../delivery-tuning.js';
import { Pacer } from '../pacer.js';
import { splitSlots } from './slot-split.js';
import { ProviderThrottles } from '../provider-throttles.service.js';
import { BatchDelivery } from '../../batches/batch-delivery.service.js';
import { type LoadedSend, SendLoader } from '../../batches/send-loader.service.js';
import { AttachmentsUnavailable } from '../../message/attachment-encoder.service.js';
import { BatchPreparer } from '../../batches/batch-preparer.service.js';
import { PendingCounter } from '../../batches/in-flight-message.js';

/** Maximum backlogs of one provider that are served together, so that no send has to wait for the end of another. */
const SENDS_AT_A_TIME = 20;
/** Maximum providers that a worker serves concurrently. */
const PROVIDERS_AT_A_TIME = 50;
/** Ms by which slots are reserved ahead, so that the messages can be prepared meanwhile and leave on time. */
const LOOKAHEAD_MS = 500;
/**
 * Length of a reservation in ms if the rate comes from the settings. Reservations are long because each one costs
 * PostgreSQL a dozen statements, whatever the rate.
 */
const BATCH_MS = 4_000;
const MAX_POSITIONS_PER_LEASE = 500;
/**
 * Maximum batches per reservation, so that a lease outlasts them. SEND_RATE and the account's own rate limit the size
 * of a batch.
 */
const BATCHES_AT_A_TIME = 20;
const MAX_SLEEP_MS = 60_000;

/**
 * Dispatches mail that waits for its mailbox provider, at the rate of the provider's limiter. There is one loop per
 * worker. Between two wake-ups a backlog costs nothing, however large it is. Each provider is served separately, so
 * that a slow one delays no other.
 */
@Injectable()
export class BacklogDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(BacklogDispatcher.name);
  /** Earliest next try per provider, in ms of `now`. */
  private readonly nextAt = new Map<string, number>();
  private readonly serving = new Map<string, Promise<void>>();
  private readonly endings = new Set<Promise<void>>();
  private running?: Promise<void>;
  private stopping = false;
  /**
   * Aborting it ends the loop's sleep. It is replaced before each check, so that a wake-up during the check is not
   * lost.
   */
  private awaited = new AbortController();

  constructor(
    private readonly backlogs: DeliveryBacklogs,
    private readonly leases: BacklogLeases,
    private readonly throttles: ProviderThrottles,
    private readonly claims: DeliveryClaims,
    private readonly sends: SendLoader,
    private readonly batches: BatchDelivery,
    private readonly preparer: BatchPreparer,
    private readonly breaker: OutboundCircuitBreaker,
    private readonly deliveryJobs: DeliveryJobs,
    private readonly finalizer: SendFinalizer,
    private readonly tuning: DeliveryTuning,
  ) {}

  onApplicationBootstrap(): void {
    this.throttles.onRoom((provider) => {
      // Also wakes backlogs under other names that now share this provider's connections: domains that turned out to be
      // hosted by it, and sends whose hold has ended.
      for (const name of this.nextAt.keys()) if (this.throttles.providerOf(name) === provider) this.nextAt.delete(name);
      this.awaited.abort();
    });
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.awaited.abort();
    await this.running;
    await Promise.allSettled([...this.serving.values(), ...this.endings]);
  }

  /** Overridden by tests that simulate hours in seconds. */
  protected now(): number {
    return performance.now();
  }

  protected async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal, ref: signal === undefined }).catch(() => undefined);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.awaited = new AbortController();
      try {
        await this.sleepUntilWoken(this.isHeld() ? this.tuning.backlogPollMs : await this.serveDue());
      } catch (error) {
        this.log.error({ err: error }, 'backlogs could not be read; retrying');
        await this.sleepUntilWoken(this.tuning.backlogPollMs * 5);
      }
    }
  }

  private isHeld(): boolean {
    return this.stopping || this.breaker.heldForMs() > 0 || this.batches.isInTrouble || this.preparer.heldForMs() > 0;
  }

  private async sleepUntilWoken(ms: number): Promise<void> {
    if (!this.awaited.signal.aborted) await this.sleep(ms, this.awaited.signal);
  }

  /**
   * Starts serving every provider that is due.
   * @returns ms until the next check
   */
  private async serveDue(): Promise<number> {
    const { waiting, due } = await this.backlogs.providers();
    this.throttles.setBacklogged(new Set(waiting));
    const known = new Set([...waiting, ...due]);
    for (const provider of this.nextAt.keys()) if (!known.has(provider)) this.nextAt.delete(provider);
    const now = this.now();
    for (const provider of due) {
      if (this.serving.size >= PROVIDERS_AT_A_TIME) return 5;
      if (this.serving.has(provider) || (this.nextAt.get(provider) ?? 0) > now) continue;
      const served = this.serve(provider)
        .catch((error: unknown) => {
          this.nextAt.set(provider, this.now() + this.tuning.backlogPollMs * 5);
          this.log.error({ err: error, provider }, 'a backlog could not be served; retrying');
        })
        .finally(() => {
          this.serving.delete(provider);
          this.awaited.abort();
        });
      this.serving.set(provider, served);
    }
    const next = Math.min(
      ...due.filter((provider) => !this.serving.has(provider)).map((provider) => this.nextAt.get(provider) ?? 0),
    );
    return Math.max(5, Math.min(this.tuning.backlogPollMs, next - this.now()));
  }

  /** Serves one provider once: sends as many messages as its limiter grants, from the least recently served sends. */
  async serve(provider: string): Promise<void> {
    const leased = await this.backlogs.lease(provider, SENDS_AT_A_TIME);
    if (leased.length === 0) return this.later(provider, this.tuning.backlogPollMs);
    const open = new Set(leased.map(({ sendId }) => sendId));
    const letGo = this.leases.hold(provider, [...open]);
    try {
      // An empty backlog is left over if a worker died or lost the database right after serving its last message.
      const empty = leased.filter(({ waiting }) => waiting <= 0);
      for (const { sendId } of empty) await this.end(sendId, provider, new PendingCounter());
      const filled = leased.filter(({ waiting }) => waiting > 0);
      if (filled.length > 0) await this.serveSends(provider, filled, open, letGo);
    } finally {
      for (const sendId of open) letGo(sendId);
      await this.backlogs.release(provider, [...open]);
    }
  }

  /** @param open backlogs whose leases the caller will end; served backlogs are removed from this set */
  private async serveSends(
    provider: string,
    leased: readonly LeasedBacklog[],
    open: Set<string>,
    letGo: (sendId: string) => void,
  ): Promise<void> {
    const reservedAt = performance.now();
    const wanted = leased.reduce((sum, { waiting }) => sum + waiting, 0);
    const limited = this.throttles.providerOf(provider);
    const { granted, startsInMs, intervalMs, retryInMs } = await this.throttles.reserveFor(
      limited,
      Math.min(wanted, MAX_POSITIONS_PER_LEASE, this.preparer.largest * BATCHES_AT_A_TIME),
      { lookaheadMs: LOOKAHEAD_MS, batchMs: BATCH_MS },
    );
    if (granted === 0) return this.later(provider, Math.min(retryInMs, MAX_SLEEP_MS));
    const pacer = new Pacer(startsInMs, intervalMs, () => this.now());
    // The backlogs wait for send times of their account one after another. Small sends go first, because the account
    // gives small sends send times first.
    const isLarge = ({ backlog }: { backlog: LeasedBacklog }): number =>
      Number(backlog.waiting > this.tuning.smallSend);
    for (const { backlog, slots } of splitSlots(leased, granted).sort((a, b) => isLarge(a) - isLarge(b))) {
      // Stops if the provider's rate was cut after these slots were granted.
      if (this.throttles.isCutSince({ domain: provider, provider: limited }, reservedAt)) break;
      open.delete(backlog.sendId);
      await this.serveSend(provider, backlog, slots, pacer).finally(() => letGo(backlog.sendId));
    }
    this.nextAt.delete(provider);
  }

  private async serveSend(
    provider: string,
    { sendId, waiting }: LeasedBacklog,
    slots: number,
    pacer: Pacer,
  ): Promise<void> {
    let isServed = false;
    try {
      const slice = await this.backlogs.next(sendId, provider, slots);
      if (!slice) {
        await this.backlogs.correct(sendId, provider, waiting);
        return await this.end(sendId, provider, new PendingCounter());
      }
      const underWay = new PendingCounter();
      const count = await this.dispatch(sendId, provider, slice, underWay, pacer);
      isServed = true;
      if (await this.backlogs.served(sendId, provider, slice, count)) await this.end(sendId, provider, underWay);
    } finally {
      if (!isServed) await this.backlogs.release(provider, [sendId]);
    }
  }

  /** @returns number of positions of the slice that are done */
  private async dispatch(
    sendId: string,
    provider: string,
    { positions }: BacklogSlice,
    underWay: PendingCounter,
    pacer: Pacer,
  ): Promise<number> {
    const send = await this.sends.load(sendId);
    const claims = await this.claims.peekAt(sendId, positions);
    // If the send was stopped, its positions stay in the backlog.
    if (!send || !claims) return 0;
    const key = this.throttles.providerOf(provider);
    const here: Claim[] = [];
    // Claims whose domain was paused separately meanwhile, or belongs to another provider.
    const elsewhere: Claim[] = [];
    for (const claim of claims) {
      claim.provider = this.throttles.providerOf(claim.domain, sendId);
      (claim.provider === key ? here : elsewhere).push(claim);
    }
    const undecidedFrom = here.length > 0 ? await this.deliver(send, here, underWay, pacer) : Infinity;
    if (undecidedFrom === null) {
      await this.backlogs.postpone(sendId, provider, this.tuning.holdSeconds);
      return 0;
    }
    // Moves only positions that are done here. The other positions come again in the next slice and would be added
    // twice.
    await this.move(
      sendId,
      elsewhere.filter(({ position }) => position < undecidedFrom),
    );
    return positions.filter((position) => position < undecidedFrom).length;
  }

  /** Adds claims to the backlogs of their providers. */
  private async move(sendId: string, claims: readonly Claim[]): Promise<void> {
    const positions = new Map<string, number[]>();
    for (const { provider, position } of claims)
      positions.set(provider, [...(positions.get(provider) ?? []), position]);
    if (positions.size > 0) await this.backlogs.add(sendId, positions, this.throttles.accountInUse);
  }

  /**
   * @returns the first position that was left unprocessed, or Infinity; null if the send waits for its attached files
   */
  private async deliver(
    send: LoadedSend,
    claims: Claim[],
    underWay: PendingCounter,
    pacer: Pacer,
  ): Promise<number | null> {
    try {
      return (await this.batches.deliver(send, claims, () => this.stopping, underWay, pacer)).undecidedFrom;
    } catch (error) {
      if (error instanceof AttachmentsUnavailable) return null;
      throw error;
    }
  }

  /** Finalizes the send if the backlog's last message was the send's last one. */
  private async end(sendId: string, provider: string, underWay: PendingCounter): Promise<void> {
    await this.backlogs.removeEmpty(sendId, provider);
    const ending = underWay
      .ended()
      .then(async () => {
        if (this.stopping || (await this.deliveryJobs.announceDue(sendId))) return;
        await this.deliveryJobs.scheduleRetry(sendId);
        await this.finalizer.finalizeIfDone(sendId);
      })
      .catch((error: unknown) =>
        this.log.error({ err: error }, 'a send could not be finalized; the sweeper finds it again'),
      );
    this.endings.add(ending);
    void ending.finally(() => this.endings.delete(ending));
  }

  private later(provider: string, ms: number): void {
    this.nextAt.set(provider, this.now() + ms);
  }
}
