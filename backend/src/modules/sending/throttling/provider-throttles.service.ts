import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { ProviderAccounts } from '../providers/provider-accounts.service.js';
import type { ProviderConfig } from '../providers/provider-config.js';
import { SendingTuning } from '../sending-tuning.js';
import type { Verdict } from '../smtp-verdict.js';
import { ProviderConcurrency } from './provider-concurrency.js';
import { ProviderDirectory } from './provider-directory.service.js';
import { NO_LIMIT, providerLimit, type ProviderLimit } from './provider-limits.js';
import { ProviderRateLimiter } from './provider-rate-limiter.service.js';
import { ProviderTraffic } from './provider-traffic.service.js';
import { asksForLess } from './rate-answer.js';
import type { LimiterState, Reservation } from './rate-limit.js';

const LOOK_AGAIN_MS = 2_000;
/** So many refusals of policy in a row pause their domain. */
const POLICY_REFUSALS = 5;
/** Refusals are counted per domain; of so many at most. */
const KEPT_REFUSALS = 10_000;
/** Messages of one provider that are admitted together where nothing limits it. */
const UNLIMITED_BATCH = 500;

interface Recipient {
  domain: string;
  provider: string;
}

/**
 * What may go to each mailbox provider now: rates over all workers, connections of this worker, and domains that refuse our mail as such.
 * Never admits more than the limiter granted; what is not admitted waits in a backlog.
 */
@Injectable()
export class ProviderThrottles {
  private readonly log = new Logger(ProviderThrottles.name);
  private readonly concurrency = new ProviderConcurrency();
  /** Refusals of policy in a row, by domain. */
  private readonly refusals = new Map<string, number>();
  /** Providers whose answers hold them back, by the account in use. */
  private active = new Map<string, LimiterState>();
  /** When a provider was cut here: nothing marked before goes out any more. */
  private readonly cuts = new Map<string, number>();
  /** Providers that some send has a backlog for: fresh mail goes behind it. */
  private backlogged: ReadonlySet<string> = new Set();
  private limits = new Map<string, ProviderLimit>();
  private account = '';
  private config: ProviderConfig = {};
  private lookedAt = 0;
  private looking?: Promise<void>;
  /** The embedded mailbox is every domain's mail server, and ours. */
  private readonly hasMailbox: boolean;
  private readonly roomListeners: ((provider: string) => void)[] = [];

  constructor(
    private readonly tuning: SendingTuning,
    private readonly limiter: ProviderRateLimiter,
    private readonly accounts: ProviderAccounts,
    private readonly directory: ProviderDirectory,
    private readonly traffic: ProviderTraffic,
    settings: Settings,
  ) {
    this.hasMailbox = settings.embedded.has('mailbox');
  }

  /** Id of the account that limits are counted by. */
  get accountInUse(): string {
    return this.account;
  }

  /** Grows with each cut, so that a batch knows when to look at what it still holds. */
  get cutCount(): number {
    return this.cutsSoFar;
  }
  private cutsSoFar = 0;

  /** The provider that mail to a domain counts with: the domain itself while it is held back for its own sake. */
  providerOf(domain: string): string {
    return this.active.has(domain) ? domain : this.directory.providerOf(domain);
  }

  /** Which of these may go now; places are taken for them. Every recipient's `provider` is set. */
  async admit<T extends Recipient>(recipients: readonly T[]): Promise<{ now: T[]; later: T[] }> {
    await this.look();
    const wanted = new Map<string, number>();
    let isFree = true;
    for (const recipient of recipients) {
      const provider = (recipient.provider = this.providerOf(recipient.domain));
      if (this.mustWait(provider)) isFree = false;
      else if (this.isLimited(provider)) wanted.set(provider, (wanted.get(provider) ?? 0) + 1);
    }
    if (isFree && wanted.size === 0) return { now: [...recipients], later: [] };
    const granted = await this.reserve([...wanted], 0);
    const now: T[] = [];
    const later: T[] = [];
    for (const recipient of recipients) {
      const { provider } = recipient;
      const left = wanted.has(provider) ? (granted.get(provider)?.granted ?? 0) : Infinity;
      if (this.mustWait(provider) || left <= 0) later.push(recipient);
      else {
        now.push(recipient);
        if (left !== Infinity) granted.set(provider, { ...granted.get(provider)!, granted: left - 1 });
      }
    }
    return { now, later };
  }

  /** Reserves places for a backlog. Bounded by the connections that are free. */
  async reserveFor(provider: string, wanted: number, lookaheadMs: number): Promise<Reservation> {
    await this.look();
    const most = Math.min(wanted, UNLIMITED_BATCH, this.isSlow(provider) ? this.concurrency.free(provider, this.limitOf(provider).atOnce) : Infinity);
    if (most <= 0) return { granted: 0, startsInMs: 0, intervalMs: 0, retryInMs: this.tuning.stalledPauseSeconds * 1000 };
    if (!this.isLimited(provider)) return { granted: most, startsInMs: 0, intervalMs: 0, retryInMs: 0 };
    return (await this.reserve([[provider, most]], lookaheadMs)).get(provider)!;
  }

  /** The provider took a message. */
  took({ domain, provider }: Recipient): void {
    if (this.refusals.size > 0) this.refusals.delete(domain);
    this.traffic.accepted(provider, this.active.has(provider) || !provider.includes('.'));
  }

  /** The provider did not take a message that was begun `ageMs` ago. */
  async refusedOne({ domain, provider }: Recipient, verdict: Verdict, ageMs: number): Promise<void> {
    if (asksForLess(verdict)) return this.cut(provider, verdict.response ?? verdict.reason, ageMs);
    if (verdict.kind !== 'permanent') return;
    if (verdict.class === 'policy') return this.refusedByPolicy(domain, verdict);
    // It judges recipients, not us.
    this.refusals.delete(domain);
  }

  /** Whether a message of a batch that was made ready then may not go any more. */
  isCutSince({ domain, provider }: Recipient, since: number): boolean {
    return (this.cuts.get(provider) ?? -1) >= since || (this.cuts.get(domain) ?? -1) >= since;
  }

  hasRoom(provider: string): boolean {
    return this.concurrency.hasRoom(provider, this.limitOf(provider).atOnce);
  }

  enter(provider: string): number {
    return this.concurrency.enter(provider);
  }

  leave(provider: string, entered: number): void {
    const wasStalled = this.concurrency.isStalled(provider);
    this.concurrency.leave(provider, entered);
    if (wasStalled) for (const listener of this.roomListeners) listener(provider);
  }

  isStalled(provider: string): boolean {
    return this.concurrency.isStalled(provider);
  }

  /** A batch waited for this provider's connections in vain. */
  stalled(provider: string): void {
    this.concurrency.stalled(provider);
  }

  /** Told when a provider that had stalled takes messages again. */
  onRoom(listener: (provider: string) => void): void {
    this.roomListeners.push(listener);
  }

  /** The providers that some backlog waits for, as far as is known here. */
  setBacklogged(providers: ReadonlySet<string>): void {
    this.backlogged = providers;
  }

  addBacklogged(providers: Iterable<string>): void {
    this.backlogged = new Set([...this.backlogged, ...providers]);
  }

  private mustWait(provider: string): boolean {
    return this.backlogged.has(provider) || this.concurrency.isStalled(provider);
  }

  private isSlow(provider: string): boolean {
    return this.concurrency.isStalled(provider) || this.limitOf(provider).atOnce !== Infinity;
  }

  private isLimited(provider: string): boolean {
    const { most, start } = this.limitOf(provider);
    return most !== Infinity || start !== undefined || this.active.has(provider);
  }

  private limitOf(provider: string): ProviderLimit {
    if (this.hasMailbox) return NO_LIMIT;
    let limit = this.limits.get(provider);
    if (!limit) this.limits.set(provider, (limit = providerLimit(provider, this.config)));
    return limit;
  }

  private reserve(wanted: readonly (readonly [string, number])[], lookaheadMs: number): Promise<Map<string, Reservation>> {
    return this.limiter.reserve(this.account, wanted.map(([provider, count]) => {
      const { most, start } = this.limitOf(provider);
      return { provider, wanted: count, most, start, lookaheadMs };
    }));
  }

  private async cut(provider: string, answer: string, ageMs: number): Promise<void> {
    this.cuts.set(provider, performance.now());
    this.cutsSoFar++;
    this.traffic.refused(provider);
    const { most, start } = this.limitOf(provider);
    const isNew = !this.active.has(provider);
    try {
      const state = await this.limiter.refused(this.account, provider, { ageMs, measured: this.traffic.measured(provider), most, start, floor: 1 / this.tuning.slowestSeconds, answer });
      this.active.set(provider, state);
      if (isNew) this.log.warn({ provider, answer }, 'a mailbox provider asks for less mail; its rate is halved');
    } catch (error) {
      // It waits here at least; the refused messages have their pause.
      this.concurrency.stalled(provider);
      this.log.error({ err: error, provider }, 'a lower rate could not be noted');
    }
  }

  private async refusedByPolicy(domain: string, { response, reason }: Verdict): Promise<void> {
    const inARow = (this.refusals.get(domain) ?? 0) + 1;
    if (this.refusals.size >= KEPT_REFUSALS) this.refusals.clear();
    this.refusals.set(domain, inARow);
    if (inARow < POLICY_REFUSALS) return;
    this.cuts.set(domain, performance.now());
    this.cutsSoFar++;
    this.log.error({ domain, inARow, response }, 'a domain refuses our mail; what waits for it is held back');
    try {
      this.active.set(domain, await this.limiter.pause(this.account, domain, this.tuning.policyPauseSeconds, 1 / this.tuning.slowestSeconds, response ?? reason));
    } catch (error) {
      this.log.error({ err: error, domain }, 'a pause could not be noted');
    }
  }

  /** Reads the account in use and what holds its mail back. Everybody who asks meanwhile waits for the same answer: before it nothing is known to be limited. */
  private look(): Promise<void> {
    if (Date.now() - this.lookedAt < LOOK_AGAIN_MS) return Promise.resolve();
    return (this.looking ??= this.read().finally(() => (this.looking = undefined)));
  }

  private async read(): Promise<void> {
    const asked = performance.now();
    const { id, config } = await this.accounts.inUse();
    const active = this.hasMailbox ? new Map<string, LimiterState>() : await this.limiter.active(id);
    // A cut of meanwhile may be missing in what was read.
    if (id === this.account) for (const [provider, state] of this.active) if ((this.cuts.get(provider) ?? 0) >= asked) active.set(provider, state);
    if (id !== this.account) this.traffic.use(id);
    this.account = id;
    this.config = config;
    this.limits = new Map();
    this.active = active;
    this.lookedAt = Date.now();
  }
}
