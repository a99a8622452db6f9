import { formatDistanceToNowStrict } from 'date-fns';
import type { ScheduledSummaryDto } from '../../api/endpoints.gen';
import { plural } from '../../lib/format';
import { zonedTime } from '../../shared/schedule/local-time';

export type ScheduledItem = ScheduledSummaryDto;

/** Texts of the scheduled emails. */
export const messages = {
  loadFailed: 'Your scheduled emails could not be loaded.',
  empty: 'Nothing is scheduled. Choose a time on the last step of a send.',
  noMatch: 'No scheduled emails match.',
  scheduled: 'Email Scheduled!',
  cancelled: 'Email Cancelled',
  cancelledText: 'Nothing will be sent. The text is kept for 30 days.',
  sent: 'Email Sent Successfully!',
  failed: 'That did not work',
  failedText: 'Please try again.',
} as const;

/** 'Tue, Dec 1, 9:00 AM CST' in the zone in which the time was chosen. */
export const timeText = ({ dueAt, timeZone }: Pick<ScheduledItem, 'dueAt' | 'timeZone'>) => zonedTime(dueAt, timeZone);

/** 'in 14 hours'. */
export const distanceText = (dueAt: string) => formatDistanceToNowStrict(new Date(dueAt), { addSuffix: true });

/** '812 people', as in "about 812 people". */
export const peopleText = ({ estimate }: Pick<ScheduledItem, 'estimate'>) =>
  plural(estimate.recipientCount, 'person', 'people');

/** Whether an email waits for its time, or needs attention. */
export const isOpen = ({ state }: Pick<ScheduledItem, 'state'>) =>
  state === 'scheduled' || state === 'leaving' || state === 'blocked';
