import { createApi, type BaseQueryFn, type FetchArgs, type FetchBaseQueryMeta, fetchBaseQuery } from '@reduxjs/toolkit/query/react';
import { createAction } from '@reduxjs/toolkit';
import { toApiError, type ApiError } from './api-error';

/** A call answered 401 although someone was signed in: the session has ended. The store clears what it holds. */
export const sessionEnded = createAction('session/ended');

const WHO_AM_I = /^\/api\/auth\/(user|me)$/;
/** Calls whose 401 is about the password that was typed, not about the session. */
const PASSWORD_CALLS = /^\/api\/auth\/(login|token|change-password|delete-account)$/;

/** A call without an answer ends after this; one that sends a file may take its time. */
const ANSWER_MS = 30_000;
const UPLOAD_MS = 15 * 60_000;
const UPLOADS = /\/(subscribers\/import|user\/avatar)$/;

const rawQuery = fetchBaseQuery({ baseUrl: '/', credentials: 'include' });

type Query = BaseQueryFn<string | FetchArgs, unknown, ApiError, object, FetchBaseQueryMeta>;

/** fetch with cookies; errors in one shape; signed out is an answer (null) to the question who is signed in. */
export const apiQuery: Query = async (args, api, extra) => {
  const request = typeof args === 'string' ? { url: args } : args;
  const path = request.url.split('?')[0] ?? '';
  const timeout = api.type === 'mutation' && UPLOADS.test(path) ? UPLOAD_MS : ANSWER_MS;
  const result = await rawQuery({ timeout, ...request }, api, extra);
  if (!result.error) return { data: result.data, meta: result.meta };
  if (result.error.status === 401) {
    if (WHO_AM_I.test(path)) return { data: null, meta: result.meta };
    if (!PASSWORD_CALLS.test(path)) api.dispatch(sessionEnded());
  }
  return { error: toApiError(result.error, result.meta), meta: result.meta };
};

/**
 * Data never becomes stale by age: no polling, no refetch on focus or reconnect. What the person changes refreshes what it touched, and what
 * changes elsewhere is told by the server (api/live). A refresh waits for no other call: one that hangs would hold up all of them.
 */
export const baseApi = createApi({
  reducerPath: 'api',
  baseQuery: apiQuery,
  keepUnusedDataFor: 3600,
  refetchOnFocus: false,
  refetchOnReconnect: false,
  refetchOnMountOrArgChange: false,
  invalidationBehavior: 'immediately',
  endpoints: () => ({}),
});
