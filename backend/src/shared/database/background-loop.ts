import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { backOffWhileBusy } from './background-backoff.js';

/**
 * Runs batches of background work one after the other, at most one loop per instance of this class. Pauses while the
 * database is busy.
 */
export class BackgroundLoop {
  private running: Promise<void> | undefined;
  private isStopping = false;

  /** @param pauseMs pause after each batch, in ms, in addition to the pause while the database is busy */
  constructor(
    private readonly em: EntityManager,
    private readonly pauseMs = 0,
  ) {}

  /**
   * Repeats `batch` until it returns false. If the loop is already running, only waits for its end.
   * @throws what `batch` throws; the loop then ends
   */
  run(batch: () => Promise<boolean>): Promise<void> {
    this.running ??= this.repeat(batch).finally(() => (this.running = undefined));
    return this.running;
  }

  /** Waits for the current batch and starts no other. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running?.catch(() => undefined);
  }

  private async repeat(batch: () => Promise<boolean>): Promise<void> {
    while (!this.isStopping && (await batch())) {
      await backOffWhileBusy(this.em.fork());
      if (this.pauseMs > 0) await pause(this.pauseMs);
    }
  }
}
