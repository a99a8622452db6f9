import { AppError, conflict, forbidden, invalid, notFound, unauthorized } from '../../shared/errors/app-error.js';

export const unverified = () => forbidden('Verify your email address before you send', 'email_unverified');
export const roleNotAllowed = (type: string) =>
  forbidden(type === 'job-post' ? 'Bench sales accounts send candidate lists only' : 'Recruiter accounts send job posts only', 'role_not_allowed');
export const networkNotOpen = (days: number, opensAt: Date) =>
  forbidden(
    `Sending to the entire network opens ${days} ${days === 1 ? 'day' : 'days'} after registration: on ${opensAt.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })}, or with Pro. Please choose one of your own lists until then.`,
    'network_not_open',
  );
export const unknownList = () => notFound('Email list not found');
export const unknownSend = () => notFound('Email not found');
export const noRecipients = () => new AppError('no_recipients', 400, 'None of the chosen lists has a confirmed contact for this type of email');
export const badKey = () => new AppError('validation_failed', 400, 'Idempotency-Key must be 1 to 255 printable characters');
export const keyOfAnotherSend = () => new AppError('idempotency_mismatch', 422, 'This Idempotency-Key was used for another email');
export const badSignature = () => unauthorized('The signature is wrong or too old');
export const reportTooLarge = () => new AppError('payload_too_large', 413, 'The message is too large');
export const tooManyReports = () => new AppError('unavailable', 503, 'Too many reports at once. Please try again.', { headers: { 'Retry-After': '5' } });
export const unknownProvider = () => notFound('Mail account not found');
export const providerNameTaken = () => conflict('provider_name_taken', 'Another mail account has this name');
export const providerIsDefault = () => conflict('provider_is_default', 'Make another mail account the default first');
export const providerNotActive = () => conflict('provider_not_active', 'Switch the mail account on first');
export const secretMissing = (name: string) => invalid('apiKeyRef', `The configuration has no setting ${name}`);
export const configRefused = (field: string, message: string) => invalid(`config.${field}`, message);
export const passwordWanted = () => invalid('currentPassword', 'Enter your password to send mail through another server');
export const wrongPassword = () => invalid('currentPassword', 'Your current password is not right');
export const badTestAddress = () => invalid('to', 'Please enter a valid email address');

export const sendHasEnded = (cancelled: boolean) => conflict(cancelled ? 'send_cancelled' : 'send_ended', cancelled ? 'This send was cancelled' : 'This send has ended already');

/** Over the day's limit; the time to wait is that to the user's midnight. */
export const dailyLimitReached = (limit: number, secondsLeft: number) =>
  new AppError('daily_limit', 429, limit === 0 ? 'Your account may not send emails at present' : `You have reached your daily limit of ${limit} ${limit === 1 ? 'email' : 'emails'}`, {
    headers: { 'Retry-After': String(secondsLeft) },
  });
