import { ApiProperty } from '@nestjs/swagger';

/** Kinds of recent activity. */
export const ACTIVITY_ACTIONS = [
  'Email sent',
  'List created',
  'Contact added',
  'Contact confirmed',
  'Contact unsubscribed',
] as const;
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number];

/** A recent activity. */
export class ActivityDto {
  /** What happened. */
  @ApiProperty({ enum: ACTIVITY_ACTIONS, example: 'Contact confirmed' })
  action: ActivityAction;

  /**
   * The object: a subject, a list's name, a contact's address, the size of an import.
   * @example 'priya@vendor.example'
   */
  name: string;

  /**
   * When.
   * @example '2026-11-21T06:30:00.000Z'
   */
  time: string;

  /** Id of the send concerned. */
  @ApiProperty({ type: String, required: false, example: '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d' })
  sendId?: string;

  /** Id of the list concerned, or of the contact's list. */
  @ApiProperty({ type: String, required: false, example: '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d' })
  listId?: string;
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
   * The current plan: free, pro or another.
   * @example 'free'
   */
  tier: string;

  /** The last ten events, newest first. */
  recentActivity: ActivityDto[];
}

/** One day in the user's time zone. */
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
   * Their messages accepted by mail servers, including those whose outcome is unknown (`unconfirmed`).
   * @example 230
   */
  sent: number;

  /**
   * Part of `sent` without a final reply of the mail server.
   * @example 2
   */
  unconfirmed: number;

  /**
   * Their permanently refused messages.
   * @example 3
   */
  failed: number;

  /**
   * Their bounced messages.
   * @example 1
   */
  bounced: number;

  /**
   * Contacts added to own lists on the day.
   * @example 14
   */
  contactsAdded: number;

  /**
   * Contacts unsubscribed from own lists on the day.
   * @example 1
   */
  unsubscribed: number;
}

/** Outcome of one send. */
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
   * Messages accepted by mail servers, including those whose outcome is unknown (`unconfirmed`).
   * @example 230
   */
  sent: number;

  /**
   * Part of `sent` without a final reply of the mail server.
   * @example 2
   */
  unconfirmed: number;

  /**
   * Messages that were refused for good.
   * @example 3
   */
  failed: number;

  /**
   * Bounced messages.
   * @example 1
   */
  bounced: number;

  /**
   * Addresses no longer mailable at the time of sending.
   * @example 0
   */
  skipped: number;
}

/** A new account's progress. */
export class OnboardingDto {
  /**
   * Its address is verified.
   * @example true
   */
  verified: boolean;

  /**
   * It has a list.
   * @example true
   */
  hasList: boolean;

  /**
   * It has a contact.
   * @example true
   */
  hasContact: boolean;

  /**
   * A contact has confirmed.
   * @example false
   */
  hasConfirmed: boolean;

  /**
   * It has sent something.
   * @example false
   */
  hasSent: boolean;

  /**
   * The person does not want to see the checklist.
   * @example false
   */
  dismissed: boolean;
}
