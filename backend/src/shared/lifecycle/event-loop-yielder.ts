import { setImmediate as nextTask } from 'node:timers/promises';

/** Maximum time in milliseconds for which a long computation blocks the event loop. */
const MAX_BLOCK_MS = 10;

/**
 * Keeps a long computation from blocking the event loop. The computation calls `isDue` after each step and, if it
 * returns true, awaits `yieldNow`, so that waiting requests can run. There are two methods, because an await after
 * every step would cost more than a fast step.
 */
export class EventLoopYielder {
  private since = performance.now();

  isDue(): boolean {
    return performance.now() - this.since >= MAX_BLOCK_MS;
  }

  async yieldNow(): Promise<void> {
    await nextTask();
    this.since = performance.now();
  }
}
