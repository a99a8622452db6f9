import { client } from '../../api/client';
import type { NotificationDto } from '../../api/endpoints.gen';

export type NotificationItem = NotificationDto;

/** Texts of the notifications; e2e journeys and tests assert them. */
export const messages = {
  loadFailed: 'Your notifications could not be loaded.',
  empty: 'You are all caught up.',
  readAll: 'Mark all as read',
  seeAll: 'See all',
  notRead: 'Not marked as read',
  settingsFailed: 'Your notification settings could not be loaded.',
  notSaved: 'Not saved',
  mailOff: 'Our mail to you came back or was reported as spam, so no notifications are mailed.',
  mailAgain: 'Mail me again',
  tryAgain: 'Please try again',
} as const;

/** Number of unread notifications; 0 until it is known. The event stream keeps it current. */
export function useUnread(): number {
  const { data } = client.useListNotificationsQuery({ unread: 'true', limit: 1 });
  return data?.total ?? 0;
}

/** '3', and '99+' beyond that. */
export const countText = (unread: number): string => (unread > 99 ? '99+' : String(unread));
