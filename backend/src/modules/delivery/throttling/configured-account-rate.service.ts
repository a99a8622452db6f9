import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { ProviderAccounts, ProviderRateLimiter } from '../../mail-accounts/index.js';
import { type Asker, SendTimeQueue } from './send-time-queue.js';

const ALL_MAIL = '*';
const BATCHES_A_SECOND = 4;
/** While the database is slow, a batch covers this multiple of its preparation time, up to MAX_BATCH_SECONDS. */
const SPARE_FACTOR = 1.5;
const MAX_BATCH_SECONDS = 2;

/**
 * Rate limiter per mail account over all workers, for SEND_RATE and for the account's own setting. Grants a steady rate
 * from the first second on. SendTimeQueue divides the rate among the batches of this worker.
 */
@Injectable()
export class ConfiguredAccountRate implements BeforeApplicationShutdown {
  /** Queue of each account; '*': queue of the limit over all accounts. */
  private readonly queues = new Map<string, SendTimeQueue>();
  /** Time from which an account's next messages may leave, in ms of `now`. */
  private readonly freeAt = new Map<string, number>();
  private readonly stopped = new AbortController();

  constructor(
    private readonly settings: Settings,
    private readonly limiter: ProviderRateLimiter,
    private readonly accounts: ProviderAccounts,
  ) {
    // Each batch that waits for its send time adds a listener.
    setMaxListeners(0, this.stopped.signal);
  }

  /**
   * Limits the size of a batch, so that waits stay short. A slow database gets larger batches, which it needs to use up
   * the rate.
   * @param preparingMs duration of preparing a batch
   */
  largestBatch(preparingMs = 0): number {
    const rate = Math.min(this.settings.sendRate || Infinity, this.accounts.rateOfFirst ?? Infinity);
    const seconds = Math.min(Math.max(1 / BATCHES_A_SECOND, (preparingMs * SPARE_FACTOR) / 1000), MAX_BATCH_SECONDS);
    return rate === Infinity ? Infinity : Math.max(1, Math.floor(rate * seconds));
  }

  /**
   * Waits until send times of an account are granted. The send times may lie a little ahead; see `until`.
   * @returns when the batch may leave; undefined if the worker shuts down
   */
  async take(account: string, messages: number, asker: Asker): Promise<number | undefined> {
    if (messages === 0) return this.now();
    const { sendRate } = this.settings;
    const own = this.accounts.rateOf(account);
    // Waits at the lower limit first, because send times are scarce there and batches must be ordered there. In the
    // opposite order, send times of the higher limit would pass unused.
    if (own && !(sendRate > 0 && sendRate < own)) return this.queueOf(account).take(messages, asker);
    if (!(sendRate > 0)) return this.now();
    const ofAll = await this.queueOf(ALL_MAIL).take(messages, asker);
    if (ofAll === undefined || !own) return ofAll;
    return this.queueOf(account).take(messages, { ...asker, ofAll });
  }

  /** Waits for a send time. Returns at once if the worker shuts down. */
  async until(at: number): Promise<void> {
    const ms = at - this.now();
    if (ms > 0 && !this.stopped.signal.aborted) await this.sleep(ms, this.stopped.signal);
  }

  beforeApplicationShutdown(): void {
    this.stopped.abort();
    for (const queue of this.queues.values()) queue.stop();
  }

  /** Overridden by tests that simulate hours in seconds. */
  protected now(): number {
    return performance.now();
  }

  protected async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await pause(ms, undefined, { signal }).catch(() => undefined);
  }

  /**
   * Also waits for a send time of the limit over all accounts, unless the batch has one. Keeps the account's own rate
   * between its batches, even when the limit over all accounts was busy and becomes free again.
   */
  private async withAll(account: string, at: number, messages: number, asker: Asker): Promise<number | undefined> {
    const ofAll = asker.ofAll ?? (this.settings.sendRate > 0 ? await this.queueOf(ALL_MAIL).take(messages, asker) : at);
    if (ofAll === undefined) return undefined;
    const leaves = Math.max(at, ofAll, this.freeAt.get(account) ?? 0);
    this.freeAt.set(account, leaves + (messages * 1000) / (this.accounts.rateOf(account) ?? Infinity));
    return leaves;
  }

  private queueOf(account: string): SendTimeQueue {
    let queue = this.queues.get(account);
    if (queue) return queue;
    const perSecond = (): number =>
      (account === ALL_MAIL ? this.settings.sendRate : this.accounts.rateOf(account)) || Infinity;
    queue = new SendTimeQueue(
      perSecond,
      async (wanted, lookaheadMs) => {
        const request = { provider: ALL_MAIL, wanted, most: perSecond(), lookaheadMs };
        return (await this.limiter.reserve(account, [request])).get(ALL_MAIL)!;
      },
      { now: () => this.now(), sleep: (ms, signal) => this.sleep(ms, signal) },
      account === ALL_MAIL ? undefined : (at, messages, asker) => this.withAll(account, at, messages, asker),
    );
    if (this.stopped.signal.aborted) queue.stop();
    this.queues.set(account, queue);
    return queue;
  }
}
