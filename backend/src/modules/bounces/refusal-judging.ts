import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SingleRunner } from '../../shared/database/single-runner.js';
import { DeliveryTuning } from '../delivery/index.js';
import { SuppressionPolicy } from './suppression-policy.service.js';

/** Batches of 1,000 refusals that one round judges at most. */
const MAX_BATCHES_PER_RUN = 20;

/**
 * Schedules the judging of refusals while their sends still go out, on one instance at a time. SendFinalizer judges the
 * rest when a send ends.
 */
@Injectable()
export class RefusalJudging implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RefusalJudging.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;

  constructor(
    private readonly suppressionPolicy: SuppressionPolicy,
    private readonly single: SingleRunner,
    private readonly tuning: DeliveryTuning,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(
      () => (this.running ??= this.round().finally(() => (this.running = undefined))),
      this.tuning.sweepMs,
    ).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async round(): Promise<void> {
    try {
      await this.single.run('sending.refusals', () => this.suppressionPolicy.applyOpen(MAX_BATCHES_PER_RUN));
    } catch (error) {
      this.log.error(
        { err: error, code: 'refusals_not_judged' },
        'refusals could not be judged; the next round tries again',
      );
    }
  }
}
