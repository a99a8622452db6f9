import type { Reservation } from '../../mail-accounts/index.js';
import { HEAD_START } from '../scheduling/fair-share.js';

/** Who asks for send times. */
export interface Asker {
  /** The account holder by whom send times are shared. */
  userId: string;
  /** Whether the send is small: its messages do not wait for large sends. */
  isSmall: boolean;
}

interface Waiting extends Asker {
  left: number;
  isBegun: boolean;
  resolve: (at: number | undefined) => void;
  reject: (error: unknown) => void;
}

export interface QueueClock {
  /** Ms of a monotonic clock. */
  now: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Send times are asked for this far ahead, in ms: the messages are prepared meanwhile, and a newcomer waits no longer than for these. */
const LOOKAHEAD_MS = 250;
/** Grants a second at full use. */
const GRANTS_A_SECOND = 4;

/**
 * Hands out the send times of one limiter on this worker. All batches of the worker wait here, those of ranges and of backlogs alike: small
 * sends first, then account holders in equal shares, whatever the number of their batches.
 */
export class SendTimeQueue {
  private readonly waiting: Waiting[] = [];
  /** Virtual time per account holder: messages granted so far. Holders behind `clock` are left out. */
  private readonly served = new Map<string, number>();
  /** Lowest virtual time of all that wait. It never falls, so that nobody saves up shares. */
  private clock = 0;
  private isRunning = false;
  private readonly stopped = new AbortController();

  /**
   * @param perSecond the limit now; Infinity: none any more
   * @param reserve asks the limiter
   */
  constructor(
    private readonly perSecond: () => number,
    private readonly reserve: (wanted: number, lookaheadMs: number) => Promise<Reservation>,
    private readonly time: QueueClock,
  ) {}

  /**
   * Waits for send times.
   * @returns when the messages may go, in ms of the clock; undefined where the queue was stopped
   * @throws where the limiter does not answer
   */
  take(messages: number, { userId, isSmall }: Asker): Promise<number | undefined> {
    if (this.stopped.signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.waiting.push({ userId, isSmall, left: messages, isBegun: false, resolve, reject });
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
      if (next.left === 0) {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        next.resolve(at);
      }
      at += messages * intervalMs;
    }
    for (const [userId, until] of this.served) if (until <= this.clock) this.served.delete(userId);
  }

  /** The batch that got a part already, else the one whose holder comes first; small sends have a head start. */
  private next(): Waiting {
    this.clock = Math.min(...this.waiting.map((one) => this.startOf(one)));
    let best = this.waiting[0]!;
    for (const one of this.waiting) {
      if (one.isBegun) return one;
      if (this.rankOf(one) < this.rankOf(best)) best = one;
    }
    return best;
  }

  private startOf({ userId }: Waiting): number {
    return Math.max(this.clock, this.served.get(userId) ?? 0);
  }

  private rankOf(one: Waiting): number {
    return this.startOf(one) - (one.isSmall ? HEAD_START : 0);
  }
}
