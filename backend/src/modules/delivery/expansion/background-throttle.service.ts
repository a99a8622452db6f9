import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { backoffAfter } from '../../../shared/database/background-backoff.js';

/** A probe that takes less than this many ms shows that the database is idle. */
const MAX_IDLE_LATENCY_MS = 3;

/**
 * Paces background work by the latency of a small probe query: no pause while the database answers at once, and longer
 * pauses the slower it answers. Whatever delays the probe (CPU, lock, disk) also delays users' requests.
 */
@Injectable()
export class BackgroundThrottle {
  private tookMs = Infinity;

  /** Whether the database is idle, so that a larger chunk does not delay users' requests. */
  get isIdle(): boolean {
    return this.tookMs < MAX_IDLE_LATENCY_MS;
  }

  /** Runs the probe query and remembers its duration. */
  async timed<T>(ask: () => Promise<T>): Promise<T> {
    const asked = performance.now();
    try {
      return await ask();
    } finally {
      this.tookMs = performance.now() - asked;
    }
  }

  /** Pauses in proportion to the delay of the last probe. */
  async pause(): Promise<void> {
    const ms = backoffAfter(this.tookMs);
    if (ms > 0) await pause(ms);
  }
}
