import { type HandlesJob, JobHandler } from '../../shared/jobs/job-handler.js';
import { AccountErasure } from './account-erasure.service.js';

/** Erases what a deleted account holds, as soon as it is closed. */
@JobHandler('erasures', 1)
export class EraseAccount implements HandlesJob<'erasures'> {
  constructor(private readonly erasure: AccountErasure) {}

  async handle({ userId }: { userId: string }): Promise<void> {
    await this.erasure.erase(userId);
  }
}
