import { AppError, conflict, forbidden, invalid, notFound } from '../../shared/errors/app-error.js';
import type { SuppressionReason } from '../../shared/enums.js';
import { INVALID_EMAIL } from '../../shared/http/requests/text.decorators.js';

export const listNotFound = (): AppError => notFound('List not found');
export const contactNotFound = (): AppError => notFound('Contact not found');
export const deletionFinal = (): AppError => new AppError('undo_expired', 410, 'This can no longer be undone');
/** The import's state does not allow the call. @see ContactImport.status */
export const importState = (): AppError =>
  conflict('import_state', 'The import is not at this step any more. Please reload the page.');
export const undoExpired = (): AppError =>
  new AppError('undo_expired', 410, 'An import can be undone within 7 days only');
export const lineNotFound = (): AppError => notFound('Line not found');
export const importNotFound = (): AppError => notFound('Import not found');
export const defaultListStays = (): AppError => forbidden('The default list cannot be deleted');
export const invalidEmail = (): AppError => invalid('email', INVALID_EMAIL);

export const listLimit = (limit: number): AppError =>
  forbidden(`The Free plan holds ${limit} ${limit === 1 ? 'list' : 'lists'}. Upgrade to Pro for more.`, 'plan_limit');
export const contactLimit = (limit: number): AppError =>
  forbidden(
    `The Free plan holds ${limit} ${limit === 1 ? 'contact' : 'contacts'}. Upgrade to Pro for more.`,
    'plan_limit',
  );

const SUPPRESSED: Record<SuppressionReason, string> = {
  unsubscribed: 'This address has unsubscribed. Only its owner can subscribe it again.',
  bounced: 'Mail to this address bounced, so it cannot be added.',
  complained: 'This address reported mail as spam. Only its owner can subscribe it again.',
};
export const suppressedAddress = (reason: SuppressionReason): AppError => conflict('suppressed', SUPPRESSED[reason]);
export const contactExists = (): AppError => conflict('contact_exists', 'This address is already on the list');
export const alreadyConfirmed = (): AppError => conflict('already_confirmed', 'This contact is confirmed already');
export const alreadyResent = (): AppError =>
  conflict('already_resent', 'The confirmation email has been sent again already');
export const askedTwice = (): AppError =>
  conflict(
    'already_resent',
    "This person has been asked twice for this list. Only they can ask for another confirmation email, on the list's public page.",
  );
export const askedLately = (): AppError =>
  conflict(
    'already_resent',
    "You have asked this person three times in 30 days. Please try again later, or let them subscribe on the list's public page.",
  );
export const heldForReview = (): AppError =>
  conflict('attestation_waiting', 'This contact waits for the review of its import');
export const emailUnverified = (): AppError => forbidden('Please verify your email address first', 'email_unverified');

export const alreadySubscribed = (): AppError =>
  conflict('already_subscribed', 'This email is already subscribed to this list');
export const confirmationPending = (): AppError =>
  conflict('confirmation_pending', 'A confirmation email has already been sent. Please check your inbox.');

export const unknownConfirmation = (): AppError =>
  new AppError('token_invalid', 404, 'This confirmation link is not valid');
export const unknownOptOut = (): AppError => new AppError('token_invalid', 404, 'This link is not valid');
export const expiredConfirmation = (): AppError =>
  new AppError('token_expired', 410, 'This confirmation link has expired. Please subscribe again.');
export const withdrawnConfirmation = (): AppError =>
  new AppError('token_expired', 410, 'You have unsubscribed since this email was sent. Please subscribe again.');
export const unknownUnsubscribe = (): AppError => notFound('Invalid unsubscribe link');
export const unknownSender = (): AppError => notFound('This sender does not have your address');
export const undoOver = (): AppError =>
  new AppError('undo_expired', 410, 'An unsubscribe can be taken back within 10 minutes only');

export const importEmpty = (): AppError => invalid('lines', 'Please enter at least one email address');
export const importRunning = (): AppError =>
  conflict('import_running', 'This import is still being read. Please try again when it is done.');
export const importDecided = (state: string): AppError =>
  conflict('already_decided', `This import was ${state} already`);
export const suppressionNotFound = (): AppError => notFound('This address is not suppressed any more');
export const alreadySuppressed = (): AppError => conflict('suppressed', 'This address is suppressed already');
export const importTooLarge = (): AppError =>
  new AppError('payload_too_large', 413, 'The file is larger than 100 MB. Please split it into smaller files.');
export const importTooManyLines = (lines: number): AppError =>
  new AppError(
    'payload_too_large',
    413,
    `The file has more than ${lines.toLocaleString('en-US')} lines. Please split it into smaller files.`,
  );
export const importTooWide = (columns: number): AppError =>
  new AppError(
    'bad_request',
    400,
    `The first line of the file has more than ${columns.toLocaleString('en-US')} columns. Please leave only the columns that you need, one contact per line.`,
  );
export const unverifiedImport = (limit: string): AppError =>
  forbidden(
    `Until your email address is verified, you can import ${limit}. Please verify it to import more.`,
    'email_unverified',
  );
const RETRY_AFTER_SECONDS = 15;
const NUMBER_WORDS = ['No', 'One', 'Two', 'Three'];
/** @param isWaiting whether one of the open imports waits for its user */
export const importsOpen = (open: number, isWaiting: boolean): AppError =>
  new AppError(
    'imports_open',
    429,
    isWaiting
      ? `You have ${open === 1 ? 'an unfinished import' : `${NUMBER_WORDS[open]?.toLowerCase() ?? open} unfinished imports`}. Please finish or discard ${open === 1 ? 'it' : 'one of them'} first.`
      : `${open === 1 ? 'An import is' : `${NUMBER_WORDS[open] ?? open} imports are`} still being read. Please start this one when ${open === 1 ? 'it' : 'one of them'} has finished.`,
    {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    },
  );
/** The account has used up its import bytes of the UTC day. */
export const importQuotaUsed = (dailyMb: number): AppError =>
  new AppError(
    'import_quota',
    429,
    `You can import ${dailyMb} MB a day, and this file would exceed that. Please import it tomorrow (UTC), or import a smaller part today.`,
    {
      headers: { 'Retry-After': String(Math.ceil((86_400_000 - (Date.now() % 86_400_000)) / 1000)) },
    },
  );
export const importType = (): AppError =>
  new AppError('unsupported_media_type', 415, 'Send JSON lines, a text/csv body or a form with a file');
