import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { backOffWhileBusy } from './background-backoff.js';

/** Repeats batches of background work, in one loop per instance of this class. Pauses while the database is busy. */
export class BackgroundLoop {
  private running: Promise<void> | undefined;
  private isStopping = false;

  /** @param pauseMs pause between two batches in ms, besides the pause while the database is busy */
  constructor(
    private readonly em: EntityManager,
    private readonly pauseMs = 0,
  ) {}

  /**
   * Repeats `batch` while it returns true. Where the loop runs already, waits for its end instead.
   * @throws what `batch` throws, which ends the loop
   */
  run(batch: () => Promise<boolean>): Promise<void> {
    this.running ??= this.repeat(batch).finally(() => (this.running = undefined));
    return this.running;
  }

  /** Starts no further batch, and waits for the current one. */
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
