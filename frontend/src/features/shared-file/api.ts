import { isApiError, type ApiError } from '../../api/api-error';
import type { SharedFileDto } from '../../api/endpoints.gen';
import { fetchJson, useFetchMutation } from '../../api/fetch-json';

export type SharedFile = SharedFileDto;

const linkPath = (token: string) => `/api/files/links/${encodeURIComponent(token)}`;

/** Path to which the page's form posts. */
export const downloadPath = (token: string) => `${linkPath(token)}/download`;

export const sharedFilePath = linkPath;

/** Checks whether the file is still available, without counting a download. @throws ApiError */
export const findSharedFile = (token: string) => fetchJson<SharedFile>('GET', linkPath(token));

export const useReport = () =>
  useFetchMutation((token: string) => fetchJson<unknown>('POST', `${linkPath(token)}/report`));

/** Why the file cannot be downloaded. */
export interface Absence {
  title: string;
  text: string;
  /** Whether the file may become available soon. */
  mayReturn: boolean;
  /** The sender, who can be asked for the file. */
  sender?: { name: string; email: string };
}

/** The texts of the page if the file cannot be downloaded. */
export function absenceOf(error: ApiError): Absence {
  const { status, facts = {}, retryAfter } = error;
  if (status === 410) {
    const { senderName, senderEmail } = facts;
    const isKnown = typeof senderName === 'string' && typeof senderEmail === 'string';
    return {
      title: 'This file is no longer available.',
      text: isKnown
        ? 'Its link has expired, or was stopped. Its sender may have it still.'
        : 'Its link has expired, or was stopped.',
      mayReturn: false,
      ...(isKnown && { sender: { name: senderName, email: senderEmail } }),
    };
  }
  if (status === 404)
    return {
      title: 'This link is not valid',
      text: 'Open it again from the email: part of its address may be missing.',
      mayReturn: false,
    };
  if (status === 409) return { title: 'This file is being checked', text: 'Try again in a minute.', mayReturn: true };
  if (status === 429)
    return {
      title: 'Too many tries',
      text: retryAfter ? `Try again in ${inMinutes(retryAfter)}.` : 'Try again in a few minutes.',
      mayReturn: true,
    };
  return {
    title: 'The file could not be loaded',
    text: isApiError(error) && status === 0 ? error.message : 'Something went wrong on our side. Please try again.',
    mayReturn: true,
  };
}

function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
