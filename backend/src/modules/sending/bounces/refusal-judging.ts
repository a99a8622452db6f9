import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { SendingTuning } from '../sending-tuning.js';
import { AddressFaults } from './address-faults.service.js';

/** Of a thousand refusals each: what one round judges at most. */
const BATCHES = 20;

/** Has refusals judged while the sends that met them still go out, one instance at a time; what is left when a send ends is judged there. */
@Injectable()
export class RefusalJudging implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RefusalJudging.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;

  constructor(
    private readonly faults: AddressFaults,
    private readonly single: SingleRunner,
    private readonly tuning: SendingTuning,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => (this.running ??= this.round().finally(() => (this.running = undefined))), this.tuning.sweepMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async round(): Promise<void> {
    try {
      await this.single.run('sending.refusals', () => this.faults.applyOpen(BATCHES));
    } catch (error) {
      this.log.error({ err: error, code: 'refusals_not_judged' }, 'refusals could not be judged; the next round tries again');
    }
  }
}
