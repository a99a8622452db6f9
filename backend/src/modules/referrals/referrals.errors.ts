import { AppError, conflict, forbidden, invalid } from '../../shared/errors/app-error.js';

export const NO_ADDRESS = 'Please enter an email address.';
export const INVALID_ADDRESS = 'Please enter a valid email address';

export const unverified = (): AppError =>
  forbidden('Verify your email address before you invite anyone', 'email_unverified');
export const invalidAddress = (): AppError => invalid('inviteeEmail', INVALID_ADDRESS);
export const ownAddress = (): AppError => invalid('inviteeEmail', 'This is your own address');
export const alreadyInvited = (): AppError =>
  conflict('already_invited', 'This address has been invited within the last 30 days');

/**
 * The user has reached the daily limit of invites.
 * @param secondsLeft time until the oldest counted invite is a day old
 */
export const tooManyInvites = (limit: number, secondsLeft: number): AppError =>
  new AppError('rate_limited', 429, `You can send ${limit} invites a day. Please try again later.`, {
    headers: { 'Retry-After': String(Math.max(1, secondsLeft)) },
  });

/**
 * The account's budget of mails to strangers is used up, or its mails to strangers are stopped.
 * @param opensAt when the budget has room again; null while the mails are stopped
 */
export const outreachSpent = (opensAt: Date | null): AppError =>
  opensAt === null
    ? forbidden(
        'Invites are on hold: too few of the people on your lists confirm, or too many of their addresses bounce. Remove addresses that no longer exist; invites resume when more people confirm.',
        'outreach_stopped',
      )
    : new AppError(
        'rate_limited',
        429,
        'You have reached your limit of emails to new people in 24 hours. Please try again later.',
        { headers: { 'Retry-After': String(Math.max(1, Math.ceil((opensAt.getTime() - Date.now()) / 1000))) } },
      );
