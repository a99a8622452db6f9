import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { DemoModule } from './demo/demo.module.js';
import { entities } from './entities.js';
import { AdminModule } from './modules/admin/index.js';
import { AuthModule } from './modules/auth/index.js';
import { BillingModule } from './modules/billing/index.js';
import { HistoryModule } from './modules/history/index.js';
import { ListsModule } from './modules/lists/index.js';
import { ReferralsModule } from './modules/referrals/index.js';
import { BounceListenerModule, SendingModule } from './modules/sending/index.js';
import { ChangesModule } from './shared/changes/changes.module.js';
import { ClientErrorsModule } from './shared/client-errors/client-errors.module.js';
import { ClockModule } from './shared/clock/clock.js';
import { SettingsModule } from './shared/config/settings.module.js';
import type { Settings } from './shared/config/settings.js';
import { DatabaseModule } from './shared/database/database.module.js';
import { ErasureModule } from './shared/erasure/erasure-rules.js';
import { EventsModule } from './shared/events/event-bus.js';
import { ExportModule } from './shared/export/export-parts.js';
import { HealthModule } from './shared/health/health.module.js';
import { HttpModule } from './shared/http/http.module.js';
import { JobsModule } from './shared/jobs/jobs.module.js';
import { LifecycleModule } from './shared/lifecycle/lifecycle.js';
import { LoggingModule } from './shared/logging/logging.module.js';
import { MailModule } from './shared/mail/mail.module.js';
import { MetricsModule } from './shared/metrics/metrics.module.js';
import { RetentionModule } from './shared/retention/retention.js';
import { WorkerModule } from './worker.module.js';

/** The floor and every feature: what a process of any role needs. */
@Module({})
export class AppModule {
  /** Web calls, and with ROLE=all the queues' work too. */
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
        ScheduleModule.forRoot(),
        HttpModule,
        ChangesModule,
        HealthModule,
        ClientErrorsModule,
        ExportModule,
        AuthModule,
        ListsModule,
        HistoryModule,
        SendingModule,
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
