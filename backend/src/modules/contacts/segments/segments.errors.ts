import { AppError, conflict, forbidden, notFound } from '../../../shared/errors/app-error.js';
import type { FilterProblem } from './filter-compiler.service.js';
import { labelKey } from './filter-compiler.service.js';

export const segmentNotFound = (): AppError => notFound('Segment not found');
export const segmentNameTaken = (): AppError => conflict('segment_exists', 'There is already a segment with this name');
export const segmentInUse = (use: string): AppError =>
  conflict('in_use', `This segment cannot be deleted yet: it is used by ${use}.`);
export const segmentLimit = (limit: number): AppError =>
  forbidden(`Your plan holds ${limit} ${limit === 1 ? 'segment' : 'segments'}.`, 'plan_limit');
export const contactsPreparing = (): AppError =>
  conflict('preparing', 'Your contacts are still being prepared. Please try again when they are all there.');
export const countFailed = (): AppError =>
  new AppError('count_failed', 503, 'The count could not be made. Please try again.', {
    headers: { 'Retry-After': '5' },
  });

/** 400 with the path of every rule that cannot be evaluated. */
export const filterInvalid = (problems: readonly FilterProblem[]): AppError =>
  new AppError('validation_failed', 400, problems[0]?.message ?? 'The filter is not valid', {
    details: problems.map(({ field, message }) => ({ field, message })),
  });

/** 409 for a saved segment that can no longer be evaluated. */
export const segmentBroken = (segment: { id: string; name: string; reason: string }): AppError =>
  new AppError('segment_broken', 409, segment.reason, { details: { segmentId: segment.id, name: segment.name } });

/**
 * Why a saved segment cannot be evaluated: the segment names something that no longer exists, or one of its rules no
 * longer fits its field.
 */
export function brokenReason(problems: readonly FilterProblem[], labels: Readonly<Record<string, string>>): string {
  const gone = problems.find((problem) => problem.gone)?.gone;
  if (!gone) return 'This segment has a rule that no longer fits its field. Please open and correct it.';
  const label = labels[labelKey(gone.field, gone.value)] ?? gone.field.replace(/^field\./, '');
  return `This segment uses the ${gone.noun} "${label}", which no longer exists.`;
}

/** 409 for a change that is based on an outdated version. */
export const segmentChanged = (version: number): AppError =>
  new AppError('segment_changed', 409, 'This segment was changed elsewhere meanwhile. Reload it and try again.', {
    details: { version },
  });
