import type { UnknownAction } from '@reduxjs/toolkit';
import { client } from '../client';

type Dispatch = (action: UnknownAction) => unknown;

interface Subscriptions {
  getSubscriptionCount: (queryCacheKey: string) => number;
}

/** How many screens show a cached answer. RTK Query's state tells it up to half a second late; this is what its own hooks ask. */
export const subscriberCount = (dispatch: Dispatch, queryCacheKey: string): number =>
  (dispatch(client.internalActions.internal_getRTKQSubscriptions()) as Subscriptions).getSubscriptionCount(
    queryCacheKey,
  );

/** Removes an answer from the cache, so that the next screen asks for it. */
export const dropAnswer = (dispatch: Dispatch, queryCacheKey: string): void =>
  void dispatch(client.internalActions.removeQueryResult({ queryCacheKey: queryCacheKey as never }));
