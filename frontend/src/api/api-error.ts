import type { FetchBaseQueryError, FetchBaseQueryMeta } from '@reduxjs/toolkit/query/react';

/** A call without an answer fails after this time. */
export const ANSWER_TIMEOUT_MS = 30_000;

/** A failed call. Every call rejects with this shape. */
export interface ApiError {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Stable code, such as 'email_taken' or 'daily_limit'. */
  code: string;
  /** The server's text for people; empty when there is none, and the screen then uses its own. */
  message: string;
  /** 'status: body', for logs. */
  text: string;
  /** The invalid fields. */
  details: FieldError[];
  /** Further facts about the error by name, such as the version that is stored after a conflict. */
  facts?: Record<string, unknown>;
  /** Seconds to wait, with 429. */
  retryAfter?: number;
}

export interface FieldError {
  field: string;
  message: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const asText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() ? value : undefined);

function toFieldErrors(details: unknown): FieldError[] {
  if (!Array.isArray(details)) return [];
  return details.flatMap((entry) => {
    if (!isRecord(entry)) return [];
    const field = asText(entry.field) ?? asText(entry.path) ?? asText(entry.property);
    const message = asText(entry.message) ?? asText(entry.error);
    return field && message ? [{ field, message }] : [];
  });
}

/** Converts the error of fetchBaseQuery. */
export function toApiError(error: FetchBaseQueryError, meta?: FetchBaseQueryMeta): ApiError {
  const response = meta?.response;
  const status = typeof error.status === 'number' ? error.status : 'originalStatus' in error ? error.originalStatus : 0;
  if (status === 0) {
    const isLate = error.status === 'TIMEOUT_ERROR';
    const message = isLate
      ? 'The server took too long to answer. Please try again.'
      : 'The server could not be reached. Check your connection and try again.';
    return { status, code: isLate ? 'timeout' : 'unreachable', message, text: message, details: [] };
  }
  const body = isRecord(error.data) ? error.data : undefined;
  const raw = body ? JSON.stringify(body) : (asText(error.data) ?? response?.statusText ?? '');
  const retryAfter = Number(response?.headers.get('retry-after'));
  return {
    status,
    code: asText(body?.code) ?? 'unknown',
    message: asText(body?.message) ?? asText(body?.error) ?? '',
    text: `${status}: ${raw}`,
    details: toFieldErrors(body?.details),
    ...(isRecord(body?.details) && !Array.isArray(body.details) && { facts: body.details }),
    ...(retryAfter > 0 && { retryAfter }),
  };
}

/** Whether a thrown value is an ApiError, as `unwrap()` throws it. */
export function isApiError(error: unknown): error is ApiError {
  return (
    isRecord(error) &&
    typeof error.status === 'number' &&
    typeof error.message === 'string' &&
    Array.isArray(error.details)
  );
}

/** The server's text in a thrown error, or `fallback` if it has none. */
export function errorMessage(error: unknown, fallback: string): string {
  return (isApiError(error) && error.message) || fallback;
}
