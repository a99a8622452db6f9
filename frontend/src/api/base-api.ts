import { createAction } from '@reduxjs/toolkit';
import {
  createApi,
  fetchBaseQuery,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryMeta,
} from '@reduxjs/toolkit/query/react';
import { ANSWER_TIMEOUT_MS, toApiError, type ApiError } from './api-error';
import { takePreloadedAnswer } from './preloaded-answers';

/** Dispatched when a call is answered 401: the session has ended. The store then clears its data. */
export const sessionEnded = createAction('session/ended');

const CURRENT_USER_CALL = /^\/api\/auth\/(user|me)$/;
/** Calls whose 401 means a wrong password, not the end of the session. */
const PASSWORD_CALLS = /^\/api\/auth\/(login|token|change-password|delete-account)$/;

/** Timeout of calls that upload a file. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000;
const UPLOAD_CALLS = /\/(subscribers\/import|api\/imports|user\/avatar|api\/files)$/;

/**
 * Calls that complete even if the page is closed meanwhile: saves of drafts. Browsers allow this for small bodies only.
 */
const KEEPALIVE_CALLS = /^\/api\/drafts(?:\/|$)/;
const MAX_KEEPALIVE_BYTES = 60_000;
const outlivesPage = ({ body }: FetchArgs, path: string) =>
  KEEPALIVE_CALLS.test(path) && body !== undefined && JSON.stringify(body).length < MAX_KEEPALIVE_BYTES;

/** The part of the store's state that tells whose screens are shown. */
interface StateWithUser {
  api?: { queries?: Record<string, { data?: unknown } | undefined> };
  auth?: { lapsed?: { id: string } | null };
}

/** Id of the user whose screens are shown; undefined if nobody is signed in. */
export function shownUserId(state: unknown): string | undefined {
  const { api, auth } = state as StateWithUser;
  const known = api?.queries?.['getCurrentUser(undefined)']?.data as { id: string } | null | undefined;
  return known?.id ?? auth?.lapsed?.id;
}

/**
 * Names the user for whom a change is made. The server refuses it (401) if another user has signed in in another tab,
 * and this tab does not know it yet.
 */
export const ACTING_USER_HEADER = 'X-Acting-User';

const rawQuery = fetchBaseQuery({
  baseUrl: '/',
  credentials: 'include',
  prepareHeaders: (headers, { getState, type }) => {
    const userId = shownUserId(getState());
    if (type === 'mutation' && userId) headers.set(ACTING_USER_HEADER, userId);
    return headers;
  },
  fetchFn: (request) => takePreloadedAnswer(request as Request) ?? fetch(request),
});

type Query = BaseQueryFn<string | FetchArgs, unknown, ApiError, object, FetchBaseQueryMeta>;

/**
 * Base query: sends cookies, converts errors to ApiError, turns a 401 of getCurrentUser into null, and dispatches
 * sessionEnded on any other 401.
 */
export const apiQuery: Query = async (args, api, extra) => {
  const request = typeof args === 'string' ? { url: args } : args;
  const path = request.url.split('?')[0] ?? '';
  const timeout = api.type === 'mutation' && UPLOAD_CALLS.test(path) ? UPLOAD_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
  const keepalive = api.type === 'mutation' && outlivesPage(request, path);
  const result = await rawQuery({ timeout, ...(keepalive && { keepalive }), ...request }, api, extra);
  if (!result.error) return { data: result.data, meta: result.meta };
  if (result.error.status === 401) {
    if (CURRENT_USER_CALL.test(path)) return { data: null, meta: result.meta };
    if (!PASSWORD_CALLS.test(path)) api.dispatch(sessionEnded());
  }
  return { error: toApiError(result.error, result.meta), meta: result.meta };
};

/**
 * Cached data does not expire by age: there is no polling and no refetch on focus or reconnect. Mutations invalidate
 * tags (client.ts), and the server reports changes made elsewhere (api/live). Invalidation takes effect immediately:
 * with 'delayed', one hanging call would hold up every refetch.
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
