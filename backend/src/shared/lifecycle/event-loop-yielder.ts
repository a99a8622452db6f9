import { setImmediate as nextTask } from 'node:timers/promises';

/** Longest time in milliseconds that a long computation blocks the event loop. */
const MAX_BLOCK_MS = 10;

/**
 * Keeps a long computation from blocking the event loop: its loop calls `isDue` after each step and, when that is
 * true, awaits `yieldNow`, which lets waiting requests go first. The two are separate because an await in every step of a
 * fast loop would cost more than the step.
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
