import type { Reservation } from '../../mail-accounts/index.js';
import { HEAD_START } from '../scheduling/fair-share.js';

/** A batch that asks for send times. */
export interface Asker {
  /** The account holder whose share of the send times it uses. */
  userId: string;
  /** Whether the send is small: its messages do not wait for large sends. */
  isSmall: boolean;
  /** The send time that the batch has already got from the limit over all accounts. */
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
 * Ms by which send times are requested ahead. Messages are prepared meanwhile, and a batch that arrives later waits no
 * longer than this for the ones already requested.
 */
const LOOKAHEAD_MS = 250;
/**
 * While small and large sends both wait, large ones get one message for this many of small ones, so that they always
 * progress.
 */
const SMALL_PER_LARGE = 3;
/**
 * Head start of small sends. Large sends get their share meanwhile, so a small send's lead grows half as fast; the
 * factor keeps the time for which it goes first.
 */
const LEAD = HEAD_START * (1 - 2 / (1 + SMALL_PER_LARGE));
/** Number of grants a second at full use. */
const GRANTS_A_SECOND = 4;

/**
 * Hands out the send times of one limiter on this worker. All batches of the worker wait here, those of ranges and of
 * backlogs alike: small sends first, except for the share that is left to large ones, then account holders in equal
 * shares, whatever the number of their batches.
 */
export class SendTimeQueue {
  private readonly waiting: Waiting[] = [];
  /** Virtual time per account holder: messages granted so far. Holders behind `clock` are left out. */
  private readonly served = new Map<string, number>();
  /** Lowest virtual time of all holders that wait. It never falls, so that no holder saves up a share. */
  private clock = 0;
  /** Messages that large sends must get before small ones continue; negative: messages that they got in advance. */
  private owedToLarge = 0;
  private isRunning = false;
  /** Batches that have a send time here and wait for `onward`. */
  private readonly goingOn: Promise<unknown>[] = [];
  private readonly stopped = new AbortController();

  /**
   * @param perSecond current limit; Infinity: none
   * @param reserve reserves send times with the limiter
   * @param onward waits for a batch's other limits and returns the later time. No batch gets a send time meanwhile,
   * because batches that piled up behind it would leave together
   */
  constructor(
    private readonly perSecond: () => number,
    private readonly reserve: (wanted: number, lookaheadMs: number) => Promise<Reservation>,
    private readonly time: QueueClock,
    private readonly onward?: (at: number, messages: number, asker: Asker) => Promise<number | undefined>,
  ) {}

  /**
   * Waits for send times.
   * @returns when the messages may go, in ms of the clock; undefined where the queue was stopped
   * @throws where the limiter does not answer
   */
  take(messages: number, asker: Asker): Promise<number | undefined> {
    if (this.stopped.signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...asker, messages, left: messages, isBegun: false, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  /** Ends all waiting; no batch gets a send time any more. */
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
   * The batch that has already got part of its send times, else the one whose account holder is next. Small sends have
   * a head start unless large ones are owed messages.
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
