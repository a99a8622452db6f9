import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DeliveryQueue, type LeasedRange } from './delivery-queue.service.js';
import { chooseSend, startOf, type TurnsUnderWay, type WaitingSend, type WaitingSends } from './fair-share.js';

/** A look at the queue is used again for this many times as long as it took: looking costs a tenth of a worker at most. */
const REUSED_TIMES = 10;
const REUSED_MS = 20;
/** The same while no other account waits: who comes later has a job of its own. */
const REUSED_ALONE_MS = 500;

/** One account's turn on this worker. */
export interface Turn {
  range: LeasedRange;
  /** This worker has room for another turn, and somebody waits for one. */
  hasRoomForMore: boolean;
}

/**
 * Decides which range this worker delivers next: whose turn it is (`chooseSend`), then leases the range in the database, which settles what
 * several workers decide at once.
 */
@Injectable()
export class DeliveryScheduler {
  private readonly underWay: TurnsUnderWay = { small: 0, large: 0 };
  private readonly kinds = new Map<string, keyof TurnsUnderWay>();
  private known?: { waiting: WaitingSends; goodUntil: number };

  constructor(private readonly queue: DeliveryQueue) {}

  /**
   * @param mayReuse an earlier look will do where it finds something
   * @returns undefined where nothing waits, or this worker has no room for what does
   */
  async next(mayReuse: boolean): Promise<Turn | undefined> {
    let isFresh = !mayReuse || !this.known || this.now() >= this.known.goodUntil;
    let waiting = isFresh ? await this.look() : this.known!.waiting;
    for (;;) {
      const send = chooseSend(waiting, this.underWay);
      if (send) {
        const range = await this.lease(waiting, send);
        if (range) return { range, hasRoomForMore: chooseSend(waiting, this.underWay) !== undefined };
      } else if (isFresh) return undefined;
      else {
        isFresh = true;
        waiting = await this.look();
      }
    }
  }

  /** The turn is over; its messages may still be under way. */
  ended({ range }: Turn): void {
    const kind = this.kinds.get(range.lease);
    if (!kind) return;
    this.kinds.delete(range.lease);
    this.underWay[kind]--;
  }

  /** Replaced by tests that see minutes pass in milliseconds. */
  protected now(): number {
    return performance.now();
  }

  private async look(): Promise<WaitingSends> {
    const started = this.now();
    const waiting = await this.queue.waiting();
    const users = new Set(waiting.sends.map(({ userId }) => userId));
    const tookMs = this.now() - started;
    this.known = { waiting, goodUntil: started + (users.size <= 1 ? REUSED_ALONE_MS : Math.max(REUSED_MS, tookMs * REUSED_TIMES)) };
    return waiting;
  }

  /** Takes the slot before it asks, so that two turns chosen at once do not share one. */
  private async lease(waiting: WaitingSends, send: WaitingSend): Promise<LeasedRange | undefined> {
    const kind = send.isSmall ? 'small' : 'large';
    const start = startOf(send, waiting.clock);
    const lease = randomUUID();
    this.underWay[kind]++;
    let range: LeasedRange | undefined;
    try {
      range = await this.queue.lease(send, start, lease);
    } finally {
      if (range) this.kinds.set(lease, kind);
      else this.underWay[kind]--;
    }
    if (range) {
      waiting.clock = Math.max(waiting.clock, start);
      for (const other of waiting.sends) if (other.userId === send.userId) other.virtualTime = Math.max(other.virtualTime, start + range.charged);
    }
    if (!range?.hasMore) waiting.sends = waiting.sends.filter((other) => other !== send);
    return range;
  }
}
