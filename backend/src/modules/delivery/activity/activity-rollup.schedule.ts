import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { BackgroundLoop } from '../../../shared/database/background-loop.js';
import { OnAppEvent } from '../../../shared/events/event-bus.js';
import { ActivityRollup } from './activity-rollup.service.js';

const ROLL_UP_EVERY_MS = 15_000;
/** Pause in ms between two batches, which leaves the database to other work. */
const PAUSE_BETWEEN_BATCHES_MS = 50;

/**
 * Runs the roll-up when a send ends, and periodically for sends whose worker died. Several workers may run it at once.
 */
@Injectable()
export class ActivityRollupSchedule implements BeforeApplicationShutdown {
  private readonly log = new Logger(ActivityRollupSchedule.name);
  private readonly loop: BackgroundLoop;

  constructor(
    em: EntityManager,
    private readonly rollup: ActivityRollup,
  ) {
    this.loop = new BackgroundLoop(em, PAUSE_BETWEEN_BATCHES_MS);
  }

  @Interval(ROLL_UP_EVERY_MS)
  async run(): Promise<void> {
    const failed = new Set<string>();
    await this.loop.run(() => this.batch(failed)).catch((error: unknown) => this.report(error));
  }

  /** Does not wait for the roll-up, so that the end of the send is not delayed. */
  @OnAppEvent('send.settled')
  start(): void {
    void this.run();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /**
   * Rolls up one batch. If it fails, its send is skipped for the rest of the run; an error that concerns no single send
   * ends the run.
   */
  private async batch(failed: Set<string>): Promise<boolean> {
    const before = failed.size;
    try {
      return await this.rollup.batch(failed);
    } catch (error) {
      if (failed.size === before) throw error;
      this.report(error);
      return true;
    }
  }

  private report(error: unknown): void {
    this.log.error(
      { err: error, code: 'activity_rollup_failed' },
      'what a send mailed could not be written to its contacts; the next run tries again',
    );
  }
}
