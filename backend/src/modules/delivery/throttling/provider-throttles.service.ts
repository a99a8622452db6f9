import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import {
  type LimiterState,
  ProviderAccounts,
  type ProviderConfig,
  ProviderRateLimiter,
  type SlotRequest,
  type Reservation,
} from '../../mail-accounts/index.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import type { Verdict } from '../../../shared/mail/smtp/smtp-verdict.js';
import { LimitsInForce } from './limits-in-force.js';
import { domainOfHeld, heldName, PolicyRefusals, type SendOfMessage } from './policy-refusals.js';
import { ProviderConcurrency } from './provider-concurrency.js';
import { ProviderResolver } from './provider-resolver.service.js';
import { NO_LIMIT, providerLimit, type ProviderLimit } from './provider-limits.js';
import { ProviderTraffic } from './provider-traffic.service.js';
import { isRateRefusal } from './rate-refusal.js';
import { RecentRateCuts } from './recent-rate-cuts.js';

const REFRESH_MS = 2_000;
/** Maximum messages per reservation for a backlog. */
const UNLIMITED_BATCH = 500;

interface Recipient {
  domain: string;
  provider: string;
}

/**
 * Decides which messages may go to each mailbox provider now, by rates over all workers, connections of this worker,
 * and domains that refuse our mail by policy. Never admits more than the limiter granted; the remaining messages wait
 * in a backlog.
 */
@Injectable()
export class ProviderThrottles {
  private readonly log = new Logger(ProviderThrottles.name);
  private readonly concurrency = new ProviderConcurrency();
  private readonly refusals = new PolicyRefusals();
  private readonly active = new LimitsInForce();
  /** Times of rate cuts. A message that was marked before its provider's rate was cut does not leave. */
  private readonly cuts = new RecentRateCuts();
  /** Providers with a backlog of any send. New mail to such a provider joins the backlog. */
  private backlogged: ReadonlySet<string> = new Set();
  private limits = new Map<string, ProviderLimit>();
  private account = '';
  private config: ProviderConfig = {};
  private refreshedAt = -Infinity;
  private refreshing?: Promise<void>;
  /** Whether the embedded mailbox receives all mail, whatever the recipient's domain. */
  private readonly hasMailbox: boolean;
  private readonly roomListeners: ((provider: string) => void)[] = [];

  constructor(
    private readonly tuning: DeliveryTuning,
    private readonly limiter: ProviderRateLimiter,
    private readonly accounts: ProviderAccounts,
    private readonly resolver: ProviderResolver,
    private readonly traffic: ProviderTraffic,
    settings: Settings,
  ) {
    this.hasMailbox = settings.embedded.has('mailbox');
  }

  /** Id of the mail account whose limits apply. */
  get accountInUse(): string {
    return this.account;
  }

  /** Increases with each cut, so that a batch notices when it has to check its messages. */
  get cutCount(): number {
    return this.cuts.count;
  }

  /** The provider whose limits apply to a send's mail to a domain; a separate name while that mail is held back. */
  providerOf(name: string, sendId?: string): string {
    return this.active.nameOf(name, sendId) ?? this.resolver.providerOf(domainOfHeld(name));
  }

  /**
   * Splits recipients into those that may be mailed now, for which slots are reserved, and those that have to wait.
   * Sets the `provider` of every recipient.
   */
  async admit<T extends Recipient>(recipients: readonly T[], sendId?: string): Promise<{ now: T[]; later: T[] }> {
    await this.refresh();
    const wanted = new Map<string, number>();
    let isFree = true;
    for (const recipient of recipients) {
      const provider = (recipient.provider = this.providerOf(recipient.domain, sendId));
      if (this.mustWait(provider)) isFree = false;
      else if (this.isLimited(provider)) wanted.set(provider, (wanted.get(provider) ?? 0) + 1);
    }
    if (isFree && wanted.size === 0) return { now: [...recipients], later: [] };
    const granted = await this.reserve([...wanted], { lookaheadMs: 0 });
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

  /**
   * Reserves slots over which a backlog spreads its messages. If the provider is slow or its connections are limited,
   * reserves no more slots than connections are free.
   */
  async reserveFor(
    provider: string,
    wanted: number,
    ahead: Pick<SlotRequest, 'lookaheadMs' | 'batchMs'>,
  ): Promise<Reservation> {
    await this.refresh();
    const pausedMs = this.active.pausedHereForMs(provider);
    if (pausedMs > 0) return { granted: 0, startsInMs: 0, intervalMs: 0, retryInMs: pausedMs };
    const most = Math.min(
      wanted,
      UNLIMITED_BATCH,
      this.isSlow(provider) ? this.concurrency.freeForBacklog(provider, this.limitOf(provider).concurrent) : Infinity,
    );
    if (most <= 0)
      return { granted: 0, startsInMs: 0, intervalMs: 0, retryInMs: this.tuning.stalledPauseSeconds * 1000 };
    if (!this.isLimited(provider)) return { granted: most, startsInMs: 0, intervalMs: 0, retryInMs: 0 };
    return (await this.reserve([[provider, most]], ahead)).get(provider)!;
  }

  /** Records that the provider accepted a message. */
  accepted({ domain, provider }: Recipient, sender: SendOfMessage): void {
    this.refusals.ended(domain, sender);
    this.traffic.accepted(provider, this.active.has(provider) || !provider.includes('.'));
  }

  /** Records that the provider refused a message, which was begun `ageMs` ago. */
  async refused(
    { domain, provider }: Recipient,
    sender: SendOfMessage,
    verdict: Verdict,
    ageMs: number,
  ): Promise<void> {
    if (isRateRefusal(verdict)) return this.cut(provider, verdict.response ?? verdict.reason, ageMs);
    if (verdict.kind !== 'permanent') return;
    if (verdict.class === 'policy') return this.refusedByPolicy(domain, sender, verdict);
    // The provider rejected the recipient rather than our mail, so the count of policy refusals starts again.
    this.refusals.ended(domain, sender);
  }

  /** Whether a message must not leave, because a rate was cut after its batch was prepared. */
  isCutSince({ domain, provider }: Recipient, since: number, sendId?: string): boolean {
    return (
      this.cuts.isSince(provider, since) ||
      this.cuts.isSince(domain, since) ||
      (sendId !== undefined && this.cuts.isSince(heldName(domain, sendId), since))
    );
  }

  hasRoom(provider: string): boolean {
    return this.concurrency.hasRoom(provider, this.limitOf(provider).concurrent);
  }

  enter(provider: string): number {
    return this.concurrency.enter(provider);
  }

  leave(provider: string, entered: number): void {
    if (this.concurrency.leave(provider, entered)) for (const listener of this.roomListeners) listener(provider);
  }

  isStalled(provider: string): boolean {
    return this.concurrency.isStalled(provider);
  }

  /** Records that a batch waited for a connection to this provider without getting one. */
  stalled(provider: string): void {
    this.concurrency.stalled(provider);
  }

  /** Registers a listener for providers that have a free connection again, after a batch or a backlog found none. */
  onRoom(listener: (provider: string) => void): void {
    this.roomListeners.push(listener);
  }

  /** Replaces the set of providers with a backlog. */
  setBacklogged(providers: ReadonlySet<string>): void {
    this.backlogged = providers;
  }

  addBacklogged(providers: Iterable<string>): void {
    this.backlogged = new Set([...this.backlogged, ...providers]);
  }

  private mustWait(provider: string): boolean {
    return (
      this.backlogged.has(provider) || this.concurrency.isStalled(provider) || this.active.pausedHereForMs(provider) > 0
    );
  }

  private isSlow(provider: string): boolean {
    return this.concurrency.isStalled(provider) || this.limitOf(provider).concurrent !== Infinity;
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

  private reserve(
    wanted: readonly (readonly [string, number])[],
    ahead: Pick<SlotRequest, 'lookaheadMs' | 'batchMs'>,
  ): Promise<Map<string, Reservation>> {
    return this.limiter.reserve(
      this.account,
      wanted.map(([provider, count]) => {
        const { most, start } = this.limitOf(provider);
        return { provider, wanted: count, most, start, ...ahead };
      }),
    );
  }

  private async cut(provider: string, answer: string, ageMs: number): Promise<void> {
    this.cuts.note(provider);
    this.traffic.refused(provider);
    const { most, start } = this.limitOf(provider);
    const isNew = !this.active.has(provider);
    try {
      const state = await this.limiter.cut(this.account, provider, {
        ageMs,
        measured: this.traffic.measured(provider),
        most,
        start,
        floor: 1 / this.tuning.slowestSeconds,
        answer,
      });
      this.active.set(provider, state);
      if (isNew) this.log.warn({ provider, answer }, 'a mailbox provider asks for less mail; its rate is halved');
    } catch (error) {
      // The database did not store the cut, so only this worker pauses. Refused messages have their own retry delay.
      this.concurrency.stalled(provider);
      this.log.error({ err: error, provider }, 'a lower rate could not be stored');
    }
  }

  private async refusedByPolicy(domain: string, sender: SendOfMessage, { response, reason }: Verdict): Promise<void> {
    const held = this.refusals.refused(domain, sender);
    if (!held) return;
    const name = held === 'domain' ? domain : heldName(domain, sender.sendId);
    this.cuts.note(name);
    if (!this.active.has(name))
      this.log.error(
        { domain, response, held, ...sender },
        'a domain refuses our mail; what waits for it is held back',
      );
    const { policyPauseSeconds, slowestSeconds } = this.tuning;
    // The pause applies at once on this worker, because its batch continues meanwhile and the database may not answer
    // at all.
    this.active.pauseHere(name, policyPauseSeconds);
    try {
      this.active.set(
        name,
        await this.limiter.pause(this.account, name, policyPauseSeconds, 1 / slowestSeconds, response ?? reason),
      );
    } catch (error) {
      this.log.error({ err: error, domain }, 'a pause could not be stored');
    }
  }

  /** Refreshes the account in use and its limits. Concurrent callers share one query. */
  private refresh(): Promise<void> {
    if (performance.now() - this.refreshedAt < REFRESH_MS) return Promise.resolve();
    return (this.refreshing ??= this.read().finally(() => (this.refreshing = undefined)));
  }

  private async read(): Promise<void> {
    const asked = performance.now();
    const { id, config } = await this.accounts.inUse();
    const since = id === this.account ? this.active.knownUntil : undefined;
    const active = this.hasMailbox ? new Map<string, LimiterState>() : await this.limiter.active(id, since);
    if (since === undefined) this.active.replace(active, asked, id === this.account);
    else this.active.add(active, asked);
    if (id !== this.account) this.traffic.use(id);
    this.account = id;
    this.config = config;
    this.limits = new Map();
    this.refreshedAt = performance.now();
  }
}
