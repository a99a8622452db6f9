import { isApiError } from '../../api/api-error';
import type { CreateEmailListDto, EmailListDto, UpdateEmailListDto } from '../../api/endpoints.gen';

export type EmailList = EmailListDto;
export type NewEmailList = CreateEmailListDto;
export type EmailListChange = UpdateEmailListDto;

/** Codes of errors whose own text says what to do: the plan's limit, and no answer from the server. */
const SELF_EXPLAINING_CODES = ['plan_limit', 'unreachable', 'timeout'];

/** Text of a failed change of a list: the error's own text if it says what to do, else `fallback`. */
export const failureText = (error: unknown, fallback: string) =>
  isApiError(error) && SELF_EXPLAINING_CODES.includes(error.code) ? error.message : fallback;

/** Texts of the lists; e2e journeys and tests assert them. */
export const messages = {
  createFailed: 'Creation Failed',
  createFailedText: 'Failed to create the email list. Please try again.',
  created: 'List Created!',
  updateFailed: 'Update Failed',
  updateFailedText: 'Failed to update the email list. Please try again.',
  updated: 'List Updated!',
  deleteFailed: 'Delete Failed',
  deleteFailedText: 'Failed to delete the email list. Please try again.',
  deleted: 'List Deleted!',
  restored: 'List Restored!',
  restoreFailed: 'List Not Restored',
  restoreFailedText: 'Failed to restore the email list. Please try again.',
  loadFailed: 'Your lists could not be loaded.',
} as const;
