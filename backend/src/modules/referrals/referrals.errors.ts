import { AppError, conflict, forbidden, invalid } from '../../shared/errors/app-error.js';

export const NO_ADDRESS = 'Please enter an email address.';
export const INVALID_ADDRESS = 'Please enter a valid email address';

export const unverified = (): AppError => forbidden('Verify your email address before you invite anyone', 'email_unverified');
export const invalidAddress = (): AppError => invalid('inviteeEmail', INVALID_ADDRESS);
export const ownAddress = (): AppError => invalid('inviteeEmail', 'This is your own address');
export const alreadyInvited = (): AppError => conflict('already_invited', 'This address has been invited within the last 30 days');
export const unknownOptOut = (): AppError => new AppError('token_invalid', 404, 'This link is not valid');

/** Over the day's invites; the time to wait is that until the oldest of them is a day old. */
export const tooManyInvites = (limit: number, secondsLeft: number): AppError =>
  new AppError('rate_limited', 429, `You can send ${limit} invites a day. Please try again later.`, { headers: { 'Retry-After': String(Math.max(1, secondsLeft)) } });
