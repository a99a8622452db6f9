import { DateTime } from 'luxon';
import { AppError, conflict, forbidden, invalid, notFound } from '../../shared/errors/app-error.js';
import type { HeldPlacesOfDay } from '../history/index.js';

export const roleNotAllowed = (type: string) =>
  forbidden(
    type === 'job-post' ? 'Bench sales accounts send candidate lists only' : 'Recruiter accounts send job posts only',
    'role_not_allowed',
  );
export const networkNotOpen = (days: number, opensAt: Date) =>
  forbidden(
    `Sending to the entire network opens ${days} ${days === 1 ? 'day' : 'days'} after registration: on ${opensAt.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })}, or with Pro. Please choose one of your own lists until then.`,
    'network_not_open',
  );
export const senderAddressRequired = () =>
  forbidden(
    'Add your business address first: US law asks for a postal address in every commercial email',
    'sender_address_required',
  );
export const unknownList = () => notFound('Email list not found');
export const noRecipients = () =>
  new AppError('no_recipients', 400, 'None of the chosen lists has a confirmed contact for this type of email');
/** @param excluded numbers of people who were left out, by reason */
export const noRecipientsLeft = (excluded?: object) =>
  new AppError('no_recipients', 400, 'Nobody is left to receive this email', excluded && { details: { ...excluded } });
/**
 * @param megabytes maximum total size of attached files
 * @param recipients maximum number of recipients for files of this size; null if the files are too large for any number
 */
export const attachmentTooLarge = (megabytes: number, recipients: number | null) =>
  new AppError(
    'attachment_too_large',
    400,
    recipients === null
      ? `Attached files: up to ${megabytes} MB in all. Use links.`
      : `Attached files: up to ${megabytes} MB in all, and ${recipients.toLocaleString('en-US')} recipients at this size. Use links.`,
  );
export const unknownSegment = () => notFound('Segment not found');
export const segmentGone = () =>
  conflict('segment_broken', 'A segment of this email no longer exists. Choose the recipients again.');
export const badKey = () =>
  new AppError('validation_failed', 400, 'Idempotency-Key must be 1 to 255 printable characters');
export const versionWithoutDraft = () => invalid('draftVersion', 'Send draftVersion together with draftId');
export const keyOfAnotherSend = () =>
  new AppError('idempotency_mismatch', 422, 'This Idempotency-Key was used for another email');

/**
 * The daily limit is used up.
 * @param secondsLeft seconds until the user's day ends, for Retry-After
 */
export const dailyLimitReached = (limit: number, secondsLeft: number) =>
  new AppError(
    'daily_limit',
    429,
    limit === 0
      ? 'Your account may not send emails at present'
      : `You have reached your daily limit of ${limit} ${limit === 1 ? 'email' : 'emails'}`,
    {
      headers: { 'Retry-After': String(secondsLeft) },
    },
  );

/**
 * The remaining sends of the day are reserved for scheduled sends.
 * @param day the day; its time zone is used for times in the text
 * @param isToday false for a later day
 */
export function placesHeld(
  limit: number,
  { count, firstAt }: HeldPlacesOfDay,
  { date, timeZone, secondsLeft }: { date: string; timeZone: string; secondsLeft: number },
  isToday = true,
): AppError {
  const day = DateTime.fromISO(date, { locale: 'en-US' }).toFormat('ccc, LLL d');
  const time = firstAt
    ? DateTime.fromJSDate(new Date(firstAt), { zone: timeZone }).setLocale('en-US').toFormat('h:mm a')
    : '';
  const only = isToday
    ? `Your only email of today is scheduled for ${time}. Cancel it or send tomorrow.`
    : `Your only email of ${day} is scheduled for ${time}. Cancel it or choose another day.`;
  const some = isToday
    ? `${count} of today's ${limit} emails ${count === 1 ? 'is' : 'are'} scheduled.`
    : `${count} of the ${limit} emails of ${day} ${count === 1 ? 'is' : 'are'} scheduled.`;
  return new AppError('daily_limit', 429, limit === 1 ? only : some, {
    headers: { 'Retry-After': String(Math.max(1, secondsLeft)) },
  });
}
