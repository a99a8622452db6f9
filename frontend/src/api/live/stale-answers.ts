import { createAction, createListenerMiddleware } from '@reduxjs/toolkit';
import { client } from '../client';
import { allTags, type ChangeTag } from './changes';

/** Number of remembered changes. A call during which more of them arrived is always repeated. */
const KEPT = 200;

/** Data with these tags has changed: it is refetched if a screen shows it, and dropped from the cache if not. */
export const markStale = createAction<ChangeTag[]>('live/markStale');

interface CallAction {
  type: string;
  meta?: { arg?: { queryCacheKey?: string }; condition?: boolean };
}

/**
 * Middleware that carries out markStale. A running call may already have read the old data, but RTK Query does not start a second one beside
 * it, and learns the tags of a first call only from its answer. Such a call is repeated once it has ended.
 */
export function staleAnswers() {
  const listener = createListenerMiddleware();
  // The order of calls and changes; timestamps would be too coarse.
  let order = 0;
  const startedAt = new Map<string, number>();
  let recent: { at: number; tags: ChangeTag[] }[] = [];
  listener.startListening({
    actionCreator: markStale,
    effect: ({ payload: tags }, { dispatch }) => {
      recent = [...recent, { at: ++order, tags }].slice(-KEPT);
      dispatch(client.util.invalidateTags(tags) as never);
    },
  });
  listener.startListening({
    predicate: ({ type }) => /^api\/executeQuery\/(pending|fulfilled|rejected)$/.test(type),
    effect: (action, { dispatch, getState }) => {
      const { type, meta } = action as CallAction;
      const key = meta?.arg?.queryCacheKey;
      if (!key || meta.condition) return;
      if (type.endsWith('/pending')) return void startedAt.set(key, ++order);
      const since = startedAt.get(key);
      startedAt.delete(key);
      if (since === undefined) return;
      const missed =
        (recent[0]?.at ?? 0) > since && recent.length === KEPT
          ? allTags
          : recent.filter(({ at }) => at > since).flatMap(({ tags }) => tags);
      const found = client.util
        .selectInvalidatedBy(getState() as never, missed)
        .find(({ queryCacheKey }) => queryCacheKey === key);
      if (!found) return;
      const endpoint = client.endpoints[found.endpointName as 'getCurrentUser'];
      dispatch(endpoint.initiate(found.originalArgs as undefined, { subscribe: false, forceRefetch: true }) as never);
    },
  });
  return listener.middleware;
}
