import type { Reservation } from '../../mail-accounts/index.js';
import { HEAD_START } from '../scheduling/fair-share.js';

/** A batch that requests send times. */
export interface Asker {
  /** Account holder whose share of the send times the batch uses. */
  userId: string;
  /** Whether the batch belongs to a small send, which does not wait for large ones. */
  isSmall: boolean;
  /** Send time that the batch already has from the limit over all accounts. */
  ofAll?: number;
}

interface Waiting extends Asker {
  messages: number;
  left: number;
  isBegun: boolean;
  resolve: (at: number | undefined | Promise<number | undefined>) => void;
  reject: (error: unknown) => void;
}

export interface QueueClock {
  /** Ms of a monotonic clock. */
  now: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Ms by which send times are requested ahead. Messages are prepared meanwhile. A batch that arrives later waits at most
 * this long for the send times already requested.
 */
const LOOKAHEAD_MS = 250;
/**
 * While both small and large sends wait, large sends get one message for this many messages of small sends, so that
 * they always make progress.
 */
const SMALL_PER_LARGE = 3;
/**
 * Head start of small sends, in messages. With SMALL_PER_LARGE = 3, small sends get three quarters of the send times
 * and large ones a quarter, so a small send's lead grows at only half the rate. HEAD_START is therefore halved, so that
 * it lasts for the same time.
 */
const LEAD = HEAD_START * (1 - 2 / (1 + SMALL_PER_LARGE));
/** Number of grants per second at full use. */
const GRANTS_A_SECOND = 4;

/**
 * Hands out the send times of one limiter on this worker. All batches of the worker wait here, from ranges and from
 * backlogs. Small sends go first, except for the share that is left to large ones; after that, account holders get
 * equal shares, whatever the number of their batches.
 */
export class SendTimeQueue {
  private readonly waiting: Waiting[] = [];
  /**
   * Virtual time per account holder: number of messages granted so far. Omits holders that are not ahead of `clock`.
   */
  private readonly served = new Map<string, number>();
  /** Lowest virtual time of all waiting holders. It never falls, so that no holder saves up a share. */
  private clock = 0;
  /**
   * Messages that large sends must get before small ones continue; negative: messages that large sends got in advance.
   */
  private owedToLarge = 0;
  private isRunning = false;
  /** Batches that got their send time here and still wait for `onward`. */
  private readonly goingOn: Promise<unknown>[] = [];
  private readonly stopped = new AbortController();

  /**
   * @param perSecond current limit; Infinity: none
   * @param reserve reserves send times with the limiter
   * @param onward waits for a batch's other limits and returns the latest time. Meanwhile, no other batch gets a send
   * time, because the batches that pile up at the other limits would then leave together
   */
  constructor(
    private readonly perSecond: () => number,
    private readonly reserve: (wanted: number, lookaheadMs: number) => Promise<Reservation>,
    private readonly time: QueueClock,
    private readonly onward?: (at: number, messages: number, asker: Asker) => Promise<number | undefined>,
  ) {}

  /**
   * Waits for send times.
   * @returns when the batch may leave, in ms of the clock; undefined if the queue was stopped
   * @throws if the limiter does not answer
   */
  take(messages: number, asker: Asker): Promise<number | undefined> {
    if (this.stopped.signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...asker, messages, left: messages, isBegun: false, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  /** Ends all waiting. No batch gets a send time any more. */
  stop(): void {
    this.stopped.abort();
    for (const { resolve } of this.waiting.splice(0)) resolve(undefined);
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      try {
        const { granted, startsInMs, intervalMs, retryInMs } = await this.reserve(this.wanted(), LOOKAHEAD_MS);
        if (granted > 0) this.give(granted, this.time.now() + startsInMs, intervalMs);
        else await this.time.sleep(retryInMs, this.stopped.signal);
        await Promise.allSettled(this.goingOn.splice(0));
      } catch (error) {
        for (const { reject } of this.waiting.splice(0)) reject(error);
      }
    }
    this.isRunning = false;
  }

  private wanted(): number {
    const most = Math.max(1, Math.floor(this.perSecond() / GRANTS_A_SECOND));
    return Math.min(
      most,
      this.waiting.reduce((sum, { left }) => sum + left, 0),
    );
  }

  private give(granted: number, startsAt: number, intervalMs: number): void {
    let at = startsAt;
    for (let free = granted; free > 0 && this.waiting.length > 0;) {
      const next = this.next();
      const messages = Math.min(free, next.left);
      next.isBegun = true;
      next.left -= messages;
      free -= messages;
      this.served.set(next.userId, this.startOf(next) + messages);
      this.countShare(next, messages);
      if (next.left === 0) {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        next.resolve(this.onward ? this.goOn(this.onward(at, next.messages, next)) : at);
      }
      at += messages * intervalMs;
    }
    for (const [userId, until] of this.served) if (until <= this.clock) this.served.delete(userId);
  }

  private goOn<T>(going: Promise<T>): Promise<T> {
    this.goingOn.push(going);
    return going;
  }

  /**
   * Chooses the batch that gets the next send times: a batch that already has some of its send times, else a batch of
   * the account holder whose turn it is. Small sends have a head start, unless large ones are owed messages.
   */
  private next(): Waiting {
    this.clock = Math.min(...this.waiting.map((one) => this.startOf(one)));
    let best: Waiting | undefined;
    let large: Waiting | undefined;
    for (const one of this.waiting) {
      if (one.isBegun) return one;
      if (!best || this.rankOf(one) < this.rankOf(best)) best = one;
      if (!one.isSmall && (!large || this.startOf(one) < this.startOf(large))) large = one;
    }
    return large && this.owedToLarge > 0 ? large : best!;
  }

  private countShare({ isSmall }: Waiting, messages: number): void {
    if (!isSmall) this.owedToLarge = Math.max(this.owedToLarge - messages, -messages);
    else if (this.waiting.some((one) => !one.isSmall)) this.owedToLarge += messages / SMALL_PER_LARGE;
    else this.owedToLarge = 0;
  }

  private startOf({ userId }: Waiting): number {
    return Math.max(this.clock, this.served.get(userId) ?? 0);
  }

  private rankOf(one: Waiting): number {
    return this.startOf(one) - (one.isSmall ? LEAD : 0);
  }
}
