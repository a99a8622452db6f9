import { createAction, createListenerMiddleware } from '@reduxjs/toolkit';
import { client } from '../client';
import { allTags, type ChangeTag } from './changes';

/** Changes that are kept: a call that more of them overtook is made again in any case. */
const KEPT = 200;

/** Something changed: what carries these tags is fetched again where it is on a screen, and forgotten where it is not. */
export const markStale = createAction<ChangeTag[]>('live/markStale');

interface CallAction {
  type: string;
  meta?: { arg?: { queryCacheKey?: string }; condition?: boolean };
}

/**
 * Carries out markStale. A call under way may have been answered before the change, but RTK Query starts no second one beside it, and knows
 * the tags of a first one only from its answer: such a call is repeated once it has ended.
 */
export function staleAnswers() {
  const listener = createListenerMiddleware();
  // Calls and changes in their order; a clock has too few ticks for it.
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
      const missed = (recent[0]?.at ?? 0) > since && recent.length === KEPT ? allTags : recent.filter(({ at }) => at > since).flatMap(({ tags }) => tags);
      const found = client.util.selectInvalidatedBy(getState() as never, missed).find(({ queryCacheKey }) => queryCacheKey === key);
      if (!found) return;
      const endpoint = client.endpoints[found.endpointName as 'getCurrentUser'];
      dispatch(endpoint.initiate(found.originalArgs as undefined, { subscribe: false, forceRefetch: true }) as never);
    },
  });
  return listener.middleware;
}
