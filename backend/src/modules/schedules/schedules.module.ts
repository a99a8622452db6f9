import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { ComposingModule } from '../composing/index.js';
import { ContactsModule } from '../contacts/index.js';
import { HistoryModule } from '../history/index.js';
import { ListsModule } from '../lists/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { SendingModule } from '../sending/index.js';
import { DueSends } from './due/due-sends.service.js';
import { DueTimes } from './due/due-times.service.js';
import { ScheduledPlaces } from './held-places.js';
import { ScheduleClock, ScheduleTuning } from './due/schedule-clock.js';
import { ScheduleHints } from './due/schedule-hints.service.js';
import { ScheduleMetrics } from './personal-data/schedule-metrics.js';
import { ScheduleReader } from './schedule-reader.service.js';
import { LeaveScheduled, ScheduleSweeper } from './due/schedule-sweeper.js';
import { ScheduledUses } from './personal-data/scheduled-uses.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesAccountData } from './personal-data/schedules-account-data.js';
import { Schedules } from './schedules.service.js';

/** Emails that leave at a set time: stores and changes them, and accepts them as sends when they are due. */
@Module({
  imports: [
    AuthModule,
    ComposingModule,
    ContactsModule,
    HistoryModule,
    ListsModule,
    NotificationsModule,
    SendingModule,
  ],
  controllers: [SchedulesController],
  providers: [
    DueSends,
    DueTimes,
    ScheduleClock,
    ScheduledPlaces,
    ScheduledUses,
    ScheduleHints,
    ScheduleMetrics,
    ScheduleReader,
    Schedules,
    SchedulesAccountData,
    ScheduleTuning,
  ],
  exports: [DueSends, DueTimes, ScheduleHints, ScheduleTuning],
})
export class SchedulesModule {}

/** Sends scheduled emails when they are due. Worker processes only. */
@Module({ imports: [SchedulesModule], providers: [LeaveScheduled, ScheduleSweeper] })
export class SchedulesWorkerModule {}
