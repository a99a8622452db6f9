import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SingleRunner } from '../../shared/database/single-runner.js';
import { DeliveryTuning } from '../delivery/index.js';
import { SuppressionPolicy } from './suppression-policy.service.js';

/** Maximum batches per run, of 1,000 refusals each. */
const MAX_BATCHES_PER_RUN = 20;

/**
 * Periodically judges refusals while their sends are still running, on one instance at a time. SendFinalizer judges the
 * remaining refusals when a send ends.
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
