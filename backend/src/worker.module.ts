import { Module } from '@nestjs/common';
import { AuthWorkerModule } from './modules/auth/index.js';
import { HistoryWorkerModule } from './modules/history/index.js';
import { BillingWorkerModule } from './modules/billing/index.js';
import { ListsWorkerModule } from './modules/lists/index.js';
import { ReferralsWorkerModule } from './modules/referrals/index.js';
import { SendingWorkerModule } from './modules/sending/index.js';
import { JobsWorkerModule } from './shared/jobs/jobs-worker.module.js';
import { RetentionSchedule } from './shared/retention/retention.js';
import { MailWorkerModule } from './shared/mail/mail.module.js';

/** Queues and schedules: what a worker does beside the floor and the features. */
@Module({
  providers: [RetentionSchedule],
  imports: [
    JobsWorkerModule, MailWorkerModule, AuthWorkerModule, ListsWorkerModule, HistoryWorkerModule, SendingWorkerModule, ReferralsWorkerModule, BillingWorkerModule,
  ],
})
export class WorkerModule {}
