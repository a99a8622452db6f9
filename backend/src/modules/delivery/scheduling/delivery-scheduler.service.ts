import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RangeLeases, type LeasedRange } from './range-leases.service.js';
import { chooseSend, startOf, type RunningSlices, type WaitingSend, type WaitingSends } from './fair-share.js';

/**
 * The list of waiting sends is reused for this many times the duration of its query, so that queries cost at most a
 * tenth of a worker.
 */
const REUSED_TIMES = 10;
const REUSE_SHARES_MS = 20;
/**
 * While only one account waits, the list is reused for longer, in ms. The job that announces another account's send
 * reads the list again.
 */
const REUSED_ALONE_MS = 500;

/** A slice of one account on this worker. */
export interface Slice {
  range: LeasedRange;
  /** Whether this worker has a free slot and another send waits for one. */
  hasRoomForMore: boolean;
}

/**
 * Chooses the range that this worker delivers next. `chooseSend` picks the send; a lease in the database resolves
 * concurrent choices of several workers.
 */
@Injectable()
export class DeliveryScheduler {
  private readonly underWay: RunningSlices = { small: 0, large: 0 };
  private readonly kinds = new Map<string, keyof RunningSlices>();
  private known?: { waiting: WaitingSends; goodUntil: number };

  constructor(private readonly leases: RangeLeases) {}

  /**
   * Leases the next range.
   * @param mayReuse whether a cached list of waiting sends may be used
   * @returns undefined if nothing waits, or if this worker has no slot for what waits
   */
  async next(mayReuse: boolean): Promise<Slice | undefined> {
    let isFresh = !mayReuse || !this.known || this.now() >= this.known.goodUntil;
    let waiting = isFresh ? await this.refresh() : this.known!.waiting;
    for (;;) {
      const send = chooseSend(waiting, this.underWay);
      if (send) {
        const range = await this.lease(waiting, send);
        if (range) return { range, hasRoomForMore: chooseSend(waiting, this.underWay) !== undefined };
      } else if (isFresh) return undefined;
      else {
        isFresh = true;
        waiting = await this.refresh();
      }
    }
  }

  /** Frees the slot of a slice. The slice's messages may still be in flight. */
  ended({ range }: Slice): void {
    const kind = this.kinds.get(range.lease);
    if (!kind) return;
    this.kinds.delete(range.lease);
    this.underWay[kind]--;
  }

  /** Overridden by tests that simulate minutes in milliseconds. */
  protected now(): number {
    return performance.now();
  }

  private async refresh(): Promise<WaitingSends> {
    const started = this.now();
    const waiting = await this.leases.waiting();
    const users = new Set(waiting.sends.map(({ userId }) => userId));
    const tookMs = this.now() - started;
    this.known = {
      waiting,
      goodUntil: started + (users.size <= 1 ? REUSED_ALONE_MS : Math.max(REUSE_SHARES_MS, tookMs * REUSED_TIMES)),
    };
    return waiting;
  }

  /** Takes the slot before the query, so that two concurrent slices do not take the same slot. */
  private async lease(waiting: WaitingSends, send: WaitingSend): Promise<LeasedRange | undefined> {
    const kind = send.isSmall ? 'small' : 'large';
    const start = startOf(send, waiting.clock);
    const lease = randomUUID();
    this.underWay[kind]++;
    let range: LeasedRange | undefined;
    try {
      range = await this.leases.lease(send, waiting.clock, lease);
    } finally {
      if (range) this.kinds.set(lease, kind);
      else this.underWay[kind]--;
    }
    if (range)
      for (const other of waiting.sends)
        if (other.userId === send.userId) other.virtualTime = Math.max(other.virtualTime, start + range.charged);
    if (!range?.hasMore) waiting.sends = waiting.sends.filter((other) => other !== send);
    return range;
  }
}
