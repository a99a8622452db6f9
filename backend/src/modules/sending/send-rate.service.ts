import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { SharedRate } from './shared-rate.js';

/** SEND_RATE: messages a second over all workers together. */
@Injectable()
export class SendRate {
  private made?: SharedRate;

  constructor(
    private readonly settings: Settings,
    private readonly jobs: JobQueue,
  ) {}

  /** So that a wait is never much longer than a moment. */
  get largestGroup(): number {
    return this.settings.sendRate > 0 ? Math.max(1, Math.ceil(this.settings.sendRate / 4)) : Infinity;
  }

  /** Waits until that many messages may go out. */
  async take(messages: number): Promise<void> {
    const { sendRate } = this.settings;
    if (sendRate <= 0) return;
    this.made ??= new SharedRate(this.settings, this.jobs, 'send-rate', sendRate);
    for (let taken = 0; taken < messages; taken++) await this.made.take('all');
  }
}
