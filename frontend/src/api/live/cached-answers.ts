import type { UnknownAction } from '@reduxjs/toolkit';
import { ANSWER_TIMEOUT_MS } from '../api-error';
import { client } from '../client';
import { allTags } from './changes';

type Dispatch = (action: UnknownAction) => unknown;

interface Subscriptions {
  getSubscriptionCount: (queryCacheKey: string) => number;
}

interface CachedAnswer {
  status: string;
  requestId?: string;
  startedTimeStamp?: number;
  fulfilledTimeStamp?: number;
}

/**
 * Number of screens that show a cached answer. RTK Query's state lags by up to half a second, so this function reads
 * the number that RTK Query's own hooks use.
 */
export const subscriberCount = (dispatch: Dispatch, queryCacheKey: string): number =>
  (dispatch(client.internalActions.internal_getRTKQSubscriptions()) as Subscriptions).getSubscriptionCount(
    queryCacheKey,
  );

/** Removes an answer from the cache, so that the next screen asks for it. */
export const removeAnswer = (dispatch: Dispatch, queryCacheKey: string): void =>
  void dispatch(client.internalActions.removeQueryResult({ queryCacheKey: queryCacheKey as never }));

const queriesOf = (state: unknown) =>
  (state as { api: { queries: Record<string, CachedAnswer | undefined> } }).api.queries;

/** The request id of the newest call of a cached answer. */
export const currentCall = (state: unknown, queryCacheKey: string): string | undefined =>
  queriesOf(state)[queryCacheKey]?.requestId;

/** Cache keys of the answers that a change can make stale. With `tags`, only of answers that provide these tags. */
const changingKeys = (state: unknown, tags = allTags): string[] =>
  client.util.selectInvalidatedBy(state as never, tags).map(({ queryCacheKey }) => queryCacheKey);

/**
 * Request time (Date.now()) of the oldest cached answer that a change can make stale.
 * @returns undefined if the cache holds no such answer
 */
export function oldestAnswer(state: unknown): number | undefined {
  const queries = queriesOf(state);
  const changing = new Set(changingKeys(state));
  const requested = Object.entries(queries).flatMap(([key, answer]) => {
    const { status, startedTimeStamp, fulfilledTimeStamp } = answer!;
    // The tags of a new answer are unknown until its first call ends, so the call always counts.
    if (status === 'pending' && fulfilledTimeStamp === undefined) return startedTimeStamp ?? [];
    if (!changing.has(key)) return [];
    if (status === 'fulfilled') return startedTimeStamp ?? [];
    // The start time belongs to the newest call, which has not succeeded. The stored answer came from an earlier call,
    // which took at most ANSWER_TIMEOUT_MS.
    return fulfilledTimeStamp === undefined ? [] : fulfilledTimeStamp - ANSWER_TIMEOUT_MS;
  });
  return requested.length > 0 ? requested.reduce((a, b) => Math.min(a, b)) : undefined;
}

/**
 * Drops the answers that no screen shows and that may become stale unnoticed; with `tags`: only answers with these
 * tags.
 */
export function removeUnusedAnswers(dispatch: Dispatch, tags = allTags): void {
  dispatch(((_: unknown, getState: () => unknown) => {
    for (const key of changingKeys(getState(), tags))
      if (subscriberCount(dispatch, key) === 0) removeAnswer(dispatch, key);
  }) as never);
}
