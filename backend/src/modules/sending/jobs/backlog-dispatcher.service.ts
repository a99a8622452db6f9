import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BacklogSlice, DeliveryBacklogs, type LeasedBacklog } from '../delivery-backlogs.service.js';
import { type Claim, DeliveryClaims } from '../delivery-claims.service.js';
import { DeliveryTickets } from '../delivery-tickets.service.js';
import { SendLane } from '../send-lane.service.js';
import { SendOutcome } from '../send-outcome.service.js';
import { SendingTuning } from '../sending-tuning.js';
import { Pacer } from '../throttling/pacer.js';
import { ProviderThrottles } from '../throttling/provider-throttles.service.js';
import { BatchDelivery } from './batch-delivery.service.js';
import { DeliverableSends } from './deliverable-sends.service.js';
import { GroupMaker } from './group-maker.service.js';
import { UnderWay } from './under-way.js';

/** Backlogs of one provider that are served together, so that no send waits for another's end. */
const SENDS_AT_A_TIME = 20;
/** Providers that a worker serves side by side. */
const PROVIDERS_AT_A_TIME = 50;
/** Places are reserved so far ahead: messages are made ready meanwhile, so that they go out on time. */
const LOOKAHEAD_MS = 500;
const MOST_AT_A_TIME = 500;
/** Where the account itself has a rate: so many of its groups, so that a lease outlasts them. */
const GROUPS_AT_A_TIME = 20;
const LONGEST_SLEEP_MS = 60_000;

/**
 * Hands over what waits for its mailbox provider, as the provider's limiter admits it. One loop per worker; between two wake-ups a
 * backlog costs nothing, however many messages wait in it. Every provider is served apart, so a slow one holds up no other.
 */
@Injectable()
export class BacklogDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(BacklogDispatcher.name);
  /** When a provider is worth asking for again, ms. */
  private readonly nextAt = new Map<string, number>();
  private readonly serving = new Map<string, Promise<void>>();
  private readonly endings = new Set<Promise<void>>();
  private running?: Promise<void>;
  private stopping = false;
  private wakeUp?: () => void;

  constructor(
    private readonly backlogs: DeliveryBacklogs,
    private readonly throttles: ProviderThrottles,
    private readonly claims: DeliveryClaims,
    private readonly sends: DeliverableSends,
    private readonly batches: BatchDelivery,
    private readonly maker: GroupMaker,
    private readonly lane: SendLane,
    private readonly tickets: DeliveryTickets,
    private readonly outcome: SendOutcome,
    private readonly tuning: SendingTuning,
  ) {}

  onApplicationBootstrap(): void {
    this.throttles.onRoom((provider) => {
      this.nextAt.delete(provider);
      this.wakeUp?.();
    });
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.wakeUp?.();
    await this.running;
    await Promise.allSettled([...this.serving.values(), ...this.endings]);
  }

  /** Replaced by tests that see hours pass in seconds. */
  protected now(): number {
    return performance.now();
  }

  protected async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal, ref: signal === undefined }).catch(() => undefined);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        if (this.isHeld()) await this.rest(this.tuning.backlogPollMs);
        else await this.rest(await this.look());
      } catch (error) {
        this.log.error({ err: error }, 'backlogs could not be looked at; tried again');
        await this.rest(this.tuning.backlogPollMs * 5);
      }
    }
  }

  private isHeld(): boolean {
    return this.stopping || this.lane.heldForMs() > 0 || this.batches.isInTrouble || this.maker.heldForMs() > 0;
  }

  private async rest(ms: number): Promise<void> {
    const woken = new AbortController();
    this.wakeUp = () => woken.abort();
    await this.sleep(ms, woken.signal);
    this.wakeUp = undefined;
  }

  /** Starts serving every provider that may be served now. @returns milliseconds until it is worth looking again */
  private async look(): Promise<number> {
    const { waiting, due } = await this.backlogs.providers();
    this.throttles.setBacklogged(new Set(waiting));
    for (const provider of this.nextAt.keys()) if (!waiting.includes(provider)) this.nextAt.delete(provider);
    const now = this.now();
    for (const provider of due) {
      if (this.serving.size >= PROVIDERS_AT_A_TIME) return 5;
      if (this.serving.has(provider) || (this.nextAt.get(provider) ?? 0) > now) continue;
      const served = this.serve(provider)
        .catch((error: unknown) => {
          this.nextAt.set(provider, this.now() + this.tuning.backlogPollMs * 5);
          this.log.error({ err: error, provider }, 'a backlog could not be served; tried again');
        })
        .finally(() => {
          this.serving.delete(provider);
          this.wakeUp?.();
        });
      this.serving.set(provider, served);
    }
    const next = Math.min(...due.filter((provider) => !this.serving.has(provider)).map((provider) => this.nextAt.get(provider) ?? 0));
    return Math.max(5, Math.min(this.tuning.backlogPollMs, next - this.now()));
  }

  /** Serves one provider once: as many messages as it takes now, of the sends that were served least recently. */
  async serve(provider: string): Promise<void> {
    const leased = await this.backlogs.lease(provider, SENDS_AT_A_TIME);
    if (leased.length === 0) return this.later(provider, this.tuning.backlogPollMs);
    const open = new Set(leased.map(({ sendId }) => sendId));
    try {
      const wanted = leased.reduce((sum, { waiting }) => sum + waiting, 0);
      const { granted, startsInMs, intervalMs, retryInMs } = await this.throttles.reserveFor(this.throttles.providerOf(provider), Math.min(wanted, MOST_AT_A_TIME, this.maker.largest * GROUPS_AT_A_TIME), LOOKAHEAD_MS);
      if (granted === 0) return this.later(provider, Math.min(retryInMs, LONGEST_SLEEP_MS));
      const pacer = new Pacer(startsInMs, intervalMs, () => this.now());
      for (const { backlog, places } of shared(leased, granted)) {
        open.delete(backlog.sendId);
        await this.serveSend(provider, backlog, places, pacer);
      }
      this.nextAt.delete(provider);
    } finally {
      await this.backlogs.release(provider, [...open]);
    }
  }

  private async serveSend(provider: string, { sendId, waiting }: LeasedBacklog, places: number, pacer: Pacer): Promise<void> {
    let isServed = false;
    try {
      const slice = await this.backlogs.next(sendId, provider, places);
      if (!slice) {
        await this.backlogs.correct(sendId, provider, waiting);
        return await this.end(sendId, provider, new UnderWay());
      }
      const underWay = new UnderWay();
      const count = await this.handOver(sendId, provider, slice, underWay, pacer);
      isServed = true;
      if (await this.backlogs.served(sendId, provider, slice, count)) await this.end(sendId, provider, underWay);
    } finally {
      if (!isServed) await this.backlogs.release(provider, [sendId]);
    }
  }

  /** @returns how many positions of the slice need not be looked at again */
  private async handOver(sendId: string, provider: string, { positions }: BacklogSlice, underWay: UnderWay, pacer: Pacer): Promise<number> {
    const send = await this.sends.of(sendId);
    const claims = await this.claims.claimAt(sendId, positions);
    // Of a stopped send nothing is claimed, and nothing is done with.
    if (!send || (claims.length === 0 && !(await this.claims.goesOn(sendId)))) return 0;
    const key = this.throttles.providerOf(provider);
    const here: Claim[] = [];
    const elsewhere = new Map<string, number[]>();
    for (const claim of claims) {
      claim.provider = this.throttles.providerOf(claim.domain);
      if (claim.provider === key) here.push(claim);
      else elsewhere.set(claim.provider, [...(elsewhere.get(claim.provider) ?? []), claim.position]);
    }
    // Its domain is held back by itself now, or was found to be another provider's.
    if (elsewhere.size > 0) await this.backlogs.add(sendId, elsewhere, this.throttles.accountInUse);
    if (here.length === 0) return positions.length;
    const { undecidedFrom } = await this.batches.deliver(send, here, () => this.stopping, underWay, pacer);
    return undecidedFrom === Infinity ? positions.length : positions.filter((position) => position < undecidedFrom).length;
  }

  /** The last message of a backlog went out: the send may have ended. */
  private async end(sendId: string, provider: string, underWay: UnderWay): Promise<void> {
    await this.backlogs.removeEmpty(sendId, provider);
    const ending = underWay.ended().then(async () => {
      if (this.stopping || (await this.tickets.issue(sendId))) return;
      await this.tickets.later(sendId);
      await this.outcome.recompute(sendId);
    }).catch((error: unknown) => this.log.error({ err: error }, 'a send could not be ended; the sweeper finds it again'));
    this.endings.add(ending);
    void ending.finally(() => this.endings.delete(ending));
  }

  private later(provider: string, ms: number): void {
    this.nextAt.set(provider, this.now() + ms);
  }
}

/** Places spread evenly over account holders, those of each evenly over its backlogs, no more to any than wait in it. */
export function shared(leased: readonly LeasedBacklog[], places: number): { backlog: LeasedBacklog; places: number }[] {
  const holders = new Map<string, LeasedBacklog[]>();
  for (const backlog of leased) holders.set(backlog.userId, [...(holders.get(backlog.userId) ?? []), backlog]);
  const backlogs = [...holders.values()];
  const ofHolders = evenly(backlogs.map((of) => of.reduce((sum, { waiting }) => sum + waiting, 0)), places);
  return backlogs
    .flatMap((of, i) => evenly(of.map(({ waiting }) => waiting), ofHolders[i]!).map((given, at) => ({ backlog: of[at]!, places: given })))
    .filter(({ places: given }) => given > 0);
}

/** Spreads places evenly, no more to each than it wants. */
function evenly(wanted: readonly number[], places: number): number[] {
  const given = wanted.map(() => 0);
  let left = places;
  for (let open = [...wanted.keys()]; left > 0 && open.length > 0; ) {
    const each = Math.max(1, Math.floor(left / open.length));
    for (const i of open) {
      const more = Math.min(each, left, wanted[i]! - given[i]!);
      given[i]! += more;
      left -= more;
    }
    open = open.filter((i) => given[i]! < wanted[i]!);
  }
  return given;
}
