import { Injectable } from '@nestjs/common';
import { OnAppEvent } from '../../shared/events/event-bus.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';

/** The confirmation mails of an unverified owner's contacts wait until now (decisions.md D1). */
@Injectable()
export class OptInOnVerification {
  constructor(private readonly jobs: JobQueue) {}

  @OnAppEvent('user.verified')
  async release(): Promise<void> {
    await this.jobs.kick('opt-in');
  }
}
