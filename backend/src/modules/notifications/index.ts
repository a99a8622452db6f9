export { notificationsEntities } from './entities/index.js';
export { NotificationMailHealth } from './mail/mail-health.service.js';
export type { Notice, NotificationKind, NotificationParams, StopReason } from './notification-kinds.js';
export { NotificationsModule, NotificationsWorkerModule } from './notifications.module.js';
export { Notifications } from './notifications.service.js';
