import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { DemoModule } from './demo/demo-seeder.service.js';
import { entities } from './entities.js';
import { AdminModule } from './modules/admin/index.js';
import { AuthModule } from './modules/auth/index.js';
import { BillingModule } from './modules/billing/index.js';
import { ContactsModule } from './modules/contacts/index.js';
import { BounceListenerModule, BouncesModule } from './modules/bounces/index.js';
import { ComposingModule } from './modules/composing/index.js';
import { DeliveryModule } from './modules/delivery/index.js';
import { HistoryModule } from './modules/history/index.js';
import { ListsModule } from './modules/lists/index.js';
import { MailAccountsModule } from './modules/mail-accounts/index.js';
import { NotificationsModule } from './modules/notifications/index.js';
import { ReferralsModule } from './modules/referrals/index.js';
import { SchedulesModule } from './modules/schedules/index.js';
import { SendingModule } from './modules/sending/index.js';
import { ChangesModule } from './shared/changes/events.controller.js';
import { ClientErrorsModule } from './shared/client-errors/client-errors.controller.js';
import { ClockModule } from './shared/clock/clock.js';
import { SettingsModule } from './shared/config/settings.module.js';
import type { Settings } from './shared/config/settings.js';
import { DatabaseModule } from './shared/database/database.module.js';
import { ErasureModule, ExportModule } from './shared/personal-data.js';
import { EventsModule } from './shared/events/event-bus.js';
import { HealthModule } from './shared/health/health.controller.js';
import { HttpModule } from './shared/http/http.module.js';
import { JobsModule } from './shared/jobs/jobs.module.js';
import { LifecycleModule } from './shared/lifecycle/lifecycle.js';
import { LoggingModule } from './shared/logging/logging.module.js';
import { MailModule } from './shared/mail/mail.module.js';
import { MetricsModule } from './shared/metrics/metrics.module.js';
import { RetentionModule } from './shared/retention/retention.js';
import { StorageModule } from './shared/storage/file-storage.js';
import { WorkerModule } from './worker.module.js';

/** Combines the shared infrastructure with all feature modules, for a process of any role. */
@Module({})
export class AppModule {
  /** Adds the web API and, if the role is `all`, the workers. */
  static with(settings: Settings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.with(settings),
        LifecycleModule,
        LoggingModule,
        ClockModule,
        DatabaseModule.with(entities),
        ErasureModule,
        EventsModule,
        JobsModule,
        MetricsModule,
        MailModule,
        RetentionModule,
        StorageModule,
        ScheduleModule.forRoot(),
        HttpModule,
        ChangesModule,
        HealthModule,
        ClientErrorsModule,
        ExportModule,
        AuthModule,
        NotificationsModule,
        ContactsModule,
        ListsModule,
        HistoryModule,
        ComposingModule,
        MailAccountsModule,
        DeliveryModule,
        BouncesModule,
        SendingModule,
        SchedulesModule,
        ReferralsModule,
        BillingModule,
        AdminModule,
        ...(settings.demoData ? [DemoModule] : []),
        ...(settings.runsWorker ? [WorkerModule] : []),
        ...(settings.takesBounces ? [BounceListenerModule] : []),
      ],
    };
  }
}
