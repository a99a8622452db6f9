import { useEffect, useRef, useState } from 'react';
import { ANSWER_TIMEOUT_MS, isApiError, toApiError, type ApiError } from './api-error';
import type { MessageDto } from './endpoints.gen';

/**
 * Calls for the pages that are opened from a mail or by a visitor. These load neither the store nor the generated
 * client, to stay small.
 */

export type Message = MessageDto;

/** Makes one API call. @throws ApiError */
export async function fetchJson<Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  const request = new Request(path, {
    method,
    credentials: 'include',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const response = await fetch(request).catch((error: unknown) => {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    throw toApiError({ status: isLate ? 'TIMEOUT_ERROR' : 'FETCH_ERROR', error: '' });
  });
  const data: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw toApiError({ status: response.status, data }, { request, response });
  return data as Answer;
}

const asApiError = (error: unknown): ApiError =>
  isApiError(error) ? error : toApiError({ status: 'FETCH_ERROR', error: '' });

interface AnswerState<Answer> {
  data?: Answer;
  error?: ApiError;
}

/** Loads a path once, and again only when `refetch` is called. Loads nothing while the path is null. */
export function useFetchQuery<Answer>(path: string | null) {
  const [state, setState] = useState<AnswerState<Answer>>({});
  const [isFetching, setFetching] = useState(path !== null);
  const requested = useRef<string>(undefined);
  const refetch = async () => {
    if (path === null) return;
    setFetching(true);
    try {
      const data = await fetchJson<Answer>('GET', path);
      setState({ data });
    } catch (error) {
      setState((before) => ({ ...before, error: asApiError(error) }));
    }
    setFetching(false);
  };
  const latest = useRef(refetch);
  useEffect(() => {
    latest.current = refetch;
  });
  useEffect(() => {
    // Some of these GETs have an effect: React's double effects in development must not send them twice.
    if (path === null || requested.current === path) return;
    requested.current = path;
    void latest.current();
  }, [path]);
  return { ...state, isFetching, refetch };
}

/** Makes a call when a button is pressed. Returns the state of the latest call. */
export function useFetchMutation<Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) {
  const [state, setState] = useState<AnswerState<Answer> & { isLoading: boolean }>({ isLoading: false });
  const run = async (...args: Args): Promise<Answer> => {
    setState({ isLoading: true });
    try {
      const data = await call(...args);
      setState({ data, isLoading: false });
      return data;
    } catch (error) {
      setState({ error: asApiError(error), isLoading: false });
      throw error;
    }
  };
  return [run, state] as const;
}
