import type { Reservation } from '../../mail-accounts/index.js';
import { HEAD_START } from '../scheduling/fair-share.js';

/** Who asks for send times. */
export interface Asker {
  /** The account holder by whom send times are shared. */
  userId: string;
  /** Whether the send is small: its messages do not wait for large sends. */
  isSmall: boolean;
  /** The send time of all accounts that its batch has already. */
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

/** Send times are asked for this far ahead, in ms: the messages are prepared meanwhile, and a newcomer waits no longer than for these. */
const LOOKAHEAD_MS = 250;
/** Of the messages granted, large sends get one for so many of small sends, while they wait: they always move. */
const SMALL_PER_LARGE = 3;
/** Large sends get their share meanwhile, so that a small send's lead grows half as fast as without it: it comes first for as long. */
const LEAD = HEAD_START * (1 - 2 / (1 + SMALL_PER_LARGE));
/** Grants a second at full use. */
const GRANTS_A_SECOND = 4;

/**
 * Hands out the send times of one limiter on this worker. All batches of the worker wait here, those of ranges and of backlogs alike: small
 * sends first, except for the share that is left to large ones, then account holders in equal shares, whatever the number of their batches.
 */
export class SendTimeQueue {
  private readonly waiting: Waiting[] = [];
  /** Virtual time per account holder: messages granted so far. Holders behind `clock` are left out. */
  private readonly served = new Map<string, number>();
  /** Lowest virtual time of all that wait. It never falls, so that nobody saves up shares. */
  private clock = 0;
  /** Messages that large sends have to get before small ones go on; below 0: that they got in advance. */
  private owedToLarge = 0;
  private isRunning = false;
  /** Batches that have a send time here and wait for `onward`. */
  private readonly goingOn: Promise<unknown>[] = [];
  private readonly stopped = new AbortController();

  /**
   * @param perSecond the limit now; Infinity: none any more
   * @param reserve asks the limiter
   * @param onward waits for what a batch needs besides, and answers with the later time. Nobody gets a send time meanwhile: batches that
   * gathered behind it would leave together.
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

  /** Ends all waiting; nobody gets a send time any more. */
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

  /** The batch that got a part already, else the one whose holder comes first; small sends have a head start unless it is a large one's turn. */
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
