import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DailySummary } from './mail/daily-summary.service.js';
import { ImmediateMail } from './mail/immediate-mail.service.js';
import { NotificationMailHealth } from './mail/mail-health.service.js';
import { NotificationLinks } from './mail/notification-links.service.js';
import { NotificationMailSchedule } from './mail/notification-mail.schedule.js';
import { NotificationWithdrawal, SummaryWithdrawal } from './mail/notification-mail-withdrawal.js';
import { NotificationOptOutController } from './mail/notification-opt-out.controller.js';
import { NotificationList } from './notification-list.service.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsRetention } from './notifications-retention.js';
import { Notifications } from './notifications.service.js';
import { NotificationSettingsController } from './settings/notification-settings.controller.js';
import { NotificationSettings } from './settings/notification-settings.service.js';

/** Notifications for users, in the list under the bell and by mail. */
@Module({
  imports: [AuthModule],
  controllers: [NotificationsController, NotificationSettingsController, NotificationOptOutController],
  providers: [
    DailySummary,
    ImmediateMail,
    NotificationLinks,
    NotificationList,
    NotificationMailHealth,
    Notifications,
    NotificationSettings,
    NotificationsRetention,
    NotificationWithdrawal,
    SummaryWithdrawal,
  ],
  exports: [
    DailySummary,
    ImmediateMail,
    NotificationMailHealth,
    Notifications,
    NotificationWithdrawal,
    SummaryWithdrawal,
  ],
})
export class NotificationsModule {}

/** Sends notification mails, in workers. */
@Module({ imports: [NotificationsModule], providers: [NotificationMailSchedule] })
export class NotificationsWorkerModule {}
