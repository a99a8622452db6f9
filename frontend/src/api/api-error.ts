import type { FetchBaseQueryError, FetchBaseQueryMeta } from '@reduxjs/toolkit/query/react';

/** A call that did not succeed, in the shape every screen reads. */
export interface ApiError {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Stable, for programs: 'email_taken', 'daily_limit', ... */
  code: string;
  /** For people: the body's `message`; empty when the body has none, and the screen's own words stand in. */
  message: string;
  /** What the error object itself says: 'status: body'. */
  text: string;
  /** The fields at fault. */
  details: FieldFault[];
  /** Seconds to wait, with 429. */
  retryAfter?: number;
}

export interface FieldFault {
  field: string;
  message: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const asText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() ? value : undefined);

function toFaults(details: unknown): FieldFault[] {
  if (!Array.isArray(details)) return [];
  return details.flatMap((entry) => {
    if (!isRecord(entry)) return [];
    const field = asText(entry.field) ?? asText(entry.path) ?? asText(entry.property);
    const message = asText(entry.message) ?? asText(entry.error);
    return field && message ? [{ field, message }] : [];
  });
}

/** From what fetchBaseQuery reports. */
export function toApiError(error: FetchBaseQueryError, meta?: FetchBaseQueryMeta): ApiError {
  const response = meta?.response;
  const status = typeof error.status === 'number' ? error.status : 'originalStatus' in error ? error.originalStatus : 0;
  if (status === 0) {
    const isLate = error.status === 'TIMEOUT_ERROR';
    const message = isLate ? 'The server took too long to answer. Please try again.' : 'The server could not be reached. Check your connection and try again.';
    return { status, code: isLate ? 'timeout' : 'unreachable', message, text: message, details: [] };
  }
  const body = isRecord(error.data) ? error.data : undefined;
  const raw = body ? JSON.stringify(body) : asText(error.data) ?? response?.statusText ?? '';
  const retryAfter = Number(response?.headers.get('retry-after'));
  return {
    status,
    code: asText(body?.code) ?? 'unknown',
    message: asText(body?.message) ?? asText(body?.error) ?? '',
    text: `${status}: ${raw}`,
    details: toFaults(body?.details),
    ...(retryAfter > 0 && { retryAfter }),
  };
}

/** Whether something thrown by `unwrap()` is a call's error. */
export function isApiError(error: unknown): error is ApiError {
  return isRecord(error) && typeof error.status === 'number' && typeof error.message === 'string' && Array.isArray(error.details);
}

/** The words for people of anything thrown; `fallback` when it says nothing. */
export function errorMessage(error: unknown, fallback: string): string {
  return (isApiError(error) && error.message) || fallback;
}
