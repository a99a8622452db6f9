import { createAction, createListenerMiddleware } from '@reduxjs/toolkit';
import { client } from '../client';
import type { ChangeTag } from './changes';

/** Changes are kept for longer than a call may take. */
const KEPT_MS = 60_000;

/** Something changed: what carries these tags is fetched again where it is on a screen, and forgotten where it is not. */
export const markStale = createAction<ChangeTag[]>('live/markStale');

interface CallAction {
  type: string;
  meta?: { arg?: { queryCacheKey?: string }; startedTimeStamp?: number; condition?: boolean };
}

/**
 * Carries out markStale. A call under way may have been answered before the change, but RTK Query starts no second one beside it, and knows
 * the tags of a first one only from its answer: such a call is repeated once it has ended.
 */
export function staleAnswers() {
  const listener = createListenerMiddleware();
  const startedAt = new Map<string, number>();
  let recent: { at: number; tags: ChangeTag[] }[] = [];
  listener.startListening({
    actionCreator: markStale,
    effect: ({ payload: tags }, { dispatch }) => {
      const now = Date.now();
      recent = [...recent.filter(({ at }) => now - at < KEPT_MS), { at: now, tags }];
      dispatch(client.util.invalidateTags(tags) as never);
    },
  });
  listener.startListening({
    predicate: ({ type }) => /^api\/executeQuery\/(pending|fulfilled|rejected)$/.test(type),
    effect: (action, { dispatch, getState }) => {
      const { type, meta } = action as CallAction;
      const key = meta?.arg?.queryCacheKey;
      if (!key || meta.condition) return;
      if (type.endsWith('/pending')) return void startedAt.set(key, meta.startedTimeStamp ?? Date.now());
      const since = startedAt.get(key);
      startedAt.delete(key);
      if (since === undefined) return;
      const missed = recent.filter(({ at }) => at >= since).flatMap(({ tags }) => tags);
      const found = client.util.selectInvalidatedBy(getState() as never, missed).find(({ queryCacheKey }) => queryCacheKey === key);
      if (!found) return;
      const endpoint = client.endpoints[found.endpointName as 'getCurrentUser'];
      dispatch(endpoint.initiate(found.originalArgs as undefined, { subscribe: false, forceRefetch: true }) as never);
    },
  });
  return listener.middleware;
}
