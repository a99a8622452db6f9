import { AppError, conflict, forbidden, invalid, notFound, unauthorized } from '../../shared/errors/app-error.js';

export const wrongCredentials = () => unauthorized('Invalid email or password');
export const notSignedIn = () => unauthorized('You are not signed in');
export const adminsOnlyHere = () => forbidden('Only admins may do this');
export const suspended = () => forbidden('This account is suspended. Please contact support.', 'suspended');
export const emailTaken = () => conflict('email_taken', 'An account with this email already exists');
export const verificationFailed = () =>
  new AppError('token_invalid', 400, 'Verification failed. The link may be expired or invalid.');
export const notMeLinkInvalid = () =>
  new AppError('token_invalid', 400, 'This link is no longer valid. There is nothing left to remove.');
export const resetFailed = () =>
  new AppError('token_invalid', 400, 'This link is no longer valid. Please ask for a new one.');
export const wrongCurrentPassword = () => invalid('currentPassword', 'Your current password is not right');
export const wrongPassword = () => invalid('password', 'The password is not right');
export const noSuchSession = () => notFound('This device is not signed in any more');
export const noSuchPicture = () => notFound('There is no such picture');
export const noSuchUser = () => notFound('There is no such user');
export const pictureTooLarge = () => new AppError('payload_too_large', 413, 'The picture can have at most 512 KB');
export const pictureNotTaken = () =>
  new AppError('unsupported_media_type', 415, 'Please choose a PNG, JPEG or WebP picture');
export const pictureUnreadable = () =>
  new AppError('validation_failed', 400, 'The picture must be a PNG, JPEG or WebP of at most 2,048 by 2,048 pixels');
export const notYourself = (what: string) => conflict('not_yourself', `You cannot ${what} your own account`);
export const tooBusy = () =>
  new AppError('rate_limited', 429, 'Too many people are signing in. Please try again.', {
    headers: { 'Retry-After': '2' },
  });
export const mailboxFull = (seconds: number) =>
  new AppError(
    'rate_limited',
    429,
    'This mailbox has got as many emails from us as it may get in a day. Please use the link of an earlier one, or try again tomorrow.',
    {
      headers: { 'Retry-After': String(seconds) },
    },
  );

/** Thrown for a file that cannot be parsed as a picture. */
export class UnreadablePicture extends Error {}
