import { Notification } from './notification.entity.js';
import { NotificationMailing, NotificationSetting } from './notification-setting.entity.js';

export const notificationsEntities = [Notification, NotificationSetting, NotificationMailing];
