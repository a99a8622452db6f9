import type { UnknownAction } from '@reduxjs/toolkit';
import { ANSWER_MS } from '../api-error';
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

/** How many screens show a cached answer. RTK Query's state tells it up to half a second late; this is what its own hooks ask. */
export const subscriberCount = (dispatch: Dispatch, queryCacheKey: string): number =>
  (dispatch(client.internalActions.internal_getRTKQSubscriptions()) as Subscriptions).getSubscriptionCount(
    queryCacheKey,
  );

/** Removes an answer from the cache, so that the next screen asks for it. */
export const dropAnswer = (dispatch: Dispatch, queryCacheKey: string): void =>
  void dispatch(client.internalActions.removeQueryResult({ queryCacheKey: queryCacheKey as never }));

const queriesOf = (state: unknown) =>
  (state as { api: { queries: Record<string, CachedAnswer | undefined> } }).api.queries;

/** The request id of the newest call of a cached answer. */
export const currentCall = (state: unknown, queryCacheKey: string): string | undefined =>
  queriesOf(state)[queryCacheKey]?.requestId;

/** The cache keys of the answers that a change can make stale; with `tags`: that a change of these can. */
const changingKeys = (state: unknown, tags = allTags): string[] =>
  client.util.selectInvalidatedBy(state as never, tags).map(({ queryCacheKey }) => queryCacheKey);

/** When the oldest answer was requested that a change can make stale (Date.now()); undefined while nothing is cached. */
export function oldestAnswer(state: unknown): number | undefined {
  const queries = queriesOf(state);
  const changing = new Set(changingKeys(state));
  const requested = Object.entries(queries).flatMap(([key, answer]) => {
    const { status, startedTimeStamp, fulfilledTimeStamp } = answer!;
    // A first call has no tags before its answer.
    if (status === 'pending' && fulfilledTimeStamp === undefined) return startedTimeStamp ?? [];
    if (!changing.has(key)) return [];
    if (status === 'fulfilled') return startedTimeStamp ?? [];
    // The times are of the newest call, whose answer is not there; the one before it took at most so long.
    return fulfilledTimeStamp === undefined ? [] : fulfilledTimeStamp - ANSWER_MS;
  });
  return requested.length > 0 ? requested.reduce((a, b) => Math.min(a, b)) : undefined;
}

/** Drops the answers that no screen shows and that a change could make stale without anybody hearing of it; with `tags`: only those of these. */
export function dropUnseen(dispatch: Dispatch, tags = allTags): void {
  dispatch(((_: unknown, getState: () => unknown) => {
    for (const key of changingKeys(getState(), tags))
      if (subscriberCount(dispatch, key) === 0) dropAnswer(dispatch, key);
  }) as never);
}
