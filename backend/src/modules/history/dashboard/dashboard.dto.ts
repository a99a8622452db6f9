import { ApiProperty } from '@nestjs/swagger';

/** Kinds of activity that the dashboard lists. */
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
   * What the activity is about: a subject, a list's name, a contact's address, or the size of an import.
   * @example 'priya@vendor.example'
   */
  name: string;

  /**
   * When it happened.
   * @example '2026-11-21T06:30:00.000Z'
   */
  time: string;

  /** Id of the send that the activity is about. */
  @ApiProperty({ type: String, required: false, example: '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d' })
  sendId?: string;

  /** Id of the list that the activity is about, or of the contact's list. */
  @ApiProperty({ type: String, required: false, example: '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d' })
  listId?: string;
}

/** Figures on the dashboard. Only the user's own lists count. */
export class DashboardStatsDto {
  /**
   * Number of sends today, in the user's time zone.
   * @example 1
   */
  emailsSentToday: number;

  /**
   * Number of the user's own lists.
   * @example 4
   */
  totalLists: number;

  /**
   * Number of own lists with a confirmed contact.
   * @example 3
   */
  activeLists: number;

  /**
   * Number of contacts on own lists, Pending and Confirmed.
   * @example 412
   */
  totalContacts: number;

  /**
   * Current plan: free, pro or another.
   * @example 'free'
   */
  tier: string;

  /** The last ten events, newest first. */
  recentActivity: ActivityDto[];
}

/** One day in the user's time zone. */
export class TrendDayDto {
  /**
   * Date of the day.
   * @example '2026-11-21'
   */
  date: string;

  /**
   * Sends accepted on the day.
   * @example 2
   */
  sends: number;

  /**
   * Messages of these sends that mail servers accepted, including those whose outcome is unknown (`unconfirmed`).
   * @example 230
   */
  sent: number;

  /**
   * Part of `sent` without a final reply of the mail server.
   * @example 2
   */
  unconfirmed: number;

  /**
   * Messages of these sends that were permanently refused.
   * @example 3
   */
  failed: number;

  /**
   * Messages of these sends that bounced.
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
   * Permanently refused messages.
   * @example 3
   */
  failed: number;

  /**
   * Messages that bounced after acceptance.
   * @example 1
   */
  bounced: number;

  /**
   * Messages not sent because the address was no longer mailable.
   * @example 0
   */
  skipped: number;
}

/** Onboarding progress of a new account. */
export class OnboardingDto {
  /**
   * Whether the account's address is verified.
   * @example true
   */
  verified: boolean;

  /**
   * Whether the account has a list.
   * @example true
   */
  hasList: boolean;

  /**
   * Whether the account has a contact.
   * @example true
   */
  hasContact: boolean;

  /**
   * Whether a contact has confirmed.
   * @example false
   */
  hasConfirmed: boolean;

  /**
   * Whether the account has sent an email.
   * @example false
   */
  hasSent: boolean;

  /**
   * Whether the user has dismissed the checklist.
   * @example false
   */
  dismissed: boolean;
}
