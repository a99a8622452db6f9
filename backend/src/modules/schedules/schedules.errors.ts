import { AppError, conflict, forbidden, notFound } from '../../shared/errors/app-error.js';
import { dayOf, hourOf, type LocalTime, type SkippedTime } from './due/due-time.js';

export const unknownScheduled = () => notFound('Scheduled email not found');

const timeError = (code: string, message: string) =>
  new AppError(code, 400, message, { details: [{ field: 'at', message }] });
export const timePast = () => timeError('time_past', 'Choose a time at least one minute from now.');
export const timeFar = () => timeError('time_far', 'Choose a time within the next 180 days.');
export const timeSkipped = ({ at }: Pick<LocalTime, 'at'>, { from, to }: SkippedTime) =>
  timeError(
    'time_skipped',
    `${hourOf(at)} does not exist on ${dayOf(at)} in this time zone. Clocks go from ${from} to ${to}.`,
  );

export const versionConflict = () =>
  conflict('version_conflict', 'This email was changed elsewhere. Reload to see it.');
export const alreadyLeaving = () =>
  conflict('already_leaving', 'This email is leaving now. You can stop it under Send History.');
export const alreadySent = (sendId: string | null) =>
  new AppError('already_leaving', 409, 'This email is leaving now. You can stop it under Send History.', {
    details: { sendId },
  });

export const tooManyWaiting = (limit: number, isFree: boolean) =>
  forbidden(
    isFree
      ? `The Free plan keeps ${limit} scheduled ${limit === 1 ? 'email' : 'emails'} at a time. Upgrade to Pro for 100, or cancel one.`
      : `You have ${limit} scheduled emails. Cancel one first.`,
    'plan_limit',
  );

/** The account was suspended when its email was due. */
export const suspendedThen = () => forbidden('Your account was suspended when this was due.', 'suspended');
export const listsGone = () => new AppError('no_lists', 400, 'Its lists were deleted.');
