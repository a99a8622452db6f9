import { ApiProperty } from '@nestjs/swagger';

/** Everything the dashboard lists as recent. */
export const ACTIVITY_ACTIONS = ['Email sent', 'List created', 'Contact added', 'Contact confirmed', 'Contact unsubscribed'] as const;
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number];

/** Something that happened lately. */
export class ActivityDto {
  /** What happened. */
  @ApiProperty({ enum: ACTIVITY_ACTIONS, example: 'Contact confirmed' })
  action: ActivityAction;

  /**
   * To what: a subject, a list's name, a contact's address, the size of an import.
   * @example 'priya@vendor.example'
   */
  name: string;

  /**
   * When.
   * @example '2026-11-21T06:30:00.000Z'
   */
  time: string;
}

/** The dashboard's figures; only the user's own lists count. */
export class DashboardStatsDto {
  /**
   * Sends of today, by the day of the user's time zone.
   * @example 1
   */
  emailsSentToday: number;

  /**
   * Own lists.
   * @example 4
   */
  totalLists: number;

  /**
   * Own lists with a confirmed contact.
   * @example 3
   */
  activeLists: number;

  /**
   * Contacts of the own lists, Pending and Confirmed.
   * @example 412
   */
  totalContacts: number;

  /**
   * The plan in force: free, pro or another.
   * @example 'free'
   */
  tier: string;

  /** The newest ten, newest first. */
  recentActivity: ActivityDto[];
}

/** One day of the user's time zone. */
export class TrendDayDto {
  /**
   * The day.
   * @example '2026-11-21'
   */
  date: string;

  /**
   * Sends accepted on the day.
   * @example 2
   */
  sends: number;

  /**
   * Their messages that the mail servers took.
   * @example 230
   */
  sent: number;

  /**
   * Their messages that were refused for good.
   * @example 3
   */
  failed: number;

  /**
   * Their messages that came back later.
   * @example 1
   */
  bounced: number;

  /**
   * Contacts that came to the own lists on the day.
   * @example 14
   */
  contactsAdded: number;

  /**
   * Contacts that left the own lists on the day.
   * @example 1
   */
  unsubscribed: number;
}

/** What became of one send. */
export class SendOutcomeDto {
  /**
   * Id of the send.
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  id: string;

  /**
   * Subject line.
   * @example 'Senior Java developer, Austin TX'
   */
  subject: string;

  /**
   * When the send was accepted.
   * @example '2026-11-21T06:30:00.000Z'
   */
  sentAt: string;

  /**
   * Messages that the mail servers took.
   * @example 230
   */
  sent: number;

  /**
   * Messages that were refused for good.
   * @example 3
   */
  failed: number;

  /**
   * Messages that came back later.
   * @example 1
   */
  bounced: number;

  /**
   * Addresses that were no longer mailable when their turn came.
   * @example 0
   */
  skipped: number;
}
