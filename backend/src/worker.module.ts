import { Module } from '@nestjs/common';
import { AuthWorkerModule } from './modules/auth/index.js';
import { BillingWorkerModule } from './modules/billing/index.js';
import { BouncesWorkerModule } from './modules/bounces/index.js';
import { ComposingWorkerModule } from './modules/composing/index.js';
import { ContactsWorkerModule } from './modules/contacts/index.js';
import { DeliveryWorkerModule } from './modules/delivery/index.js';
import { HistoryWorkerModule } from './modules/history/index.js';
import { ListsWorkerModule } from './modules/lists/index.js';
import { NotificationsWorkerModule } from './modules/notifications/index.js';
import { ReferralsWorkerModule } from './modules/referrals/index.js';
import { SchedulesWorkerModule } from './modules/schedules/index.js';
import { SendingWorkerModule } from './modules/sending/index.js';
import { JobsWorkerModule } from './shared/jobs/jobs-worker.module.js';
import { RetentionSchedule } from './shared/retention/retention.js';
import { MailWorkerModule } from './shared/mail/mail.module.js';

/** Queues and schedules, which a worker has in addition to the infrastructure and the feature modules. */
@Module({
  providers: [RetentionSchedule],
  imports: [
    JobsWorkerModule,
    MailWorkerModule,
    AuthWorkerModule,
    NotificationsWorkerModule,
    ContactsWorkerModule,
    ListsWorkerModule,
    HistoryWorkerModule,
    DeliveryWorkerModule,
    BouncesWorkerModule,
    ComposingWorkerModule,
    SendingWorkerModule,
    SchedulesWorkerModule,
    ReferralsWorkerModule,
    BillingWorkerModule,
  ],
})
export class WorkerModule {}
