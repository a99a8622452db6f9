import { createAction, createListenerMiddleware, type UnknownAction } from '@reduxjs/toolkit';
import { ANSWER_MS, type ApiError } from '../api-error';
import { client } from '../client';
import { allTags, type ChangeTag } from './changes';
import { pauseBefore } from './event-stream';
import { currentCall, dropAnswer, subscriberCount } from './cached-answers';

/** Number of remembered changes. A call during which more of them arrived is always repeated. */
const KEPT = 200;
/** Number of tries whose backoff is the first pause after a failed refetch: 2 to 4 s. */
const FIRST_TRIES = 2;

/** Data with these tags has changed: it is refetched if a screen shows it, and dropped from the cache if not. */
export const markStale = createAction<ChangeTag[]>('live/markStale');

interface CallAction {
  type: string;
  meta?: {
    arg?: { queryCacheKey?: string; endpointName: string; originalArgs: unknown };
    requestId?: string;
    condition?: boolean;
  };
  payload?: unknown;
}

type Query = Pick<NonNullable<NonNullable<CallAction['meta']>['arg']>, 'endpointName' | 'originalArgs'>;

/** A cached answer that a change has made stale, until it was fetched anew. */
interface StaleAnswer extends Query {
  /** Failed refreshes in a row. */
  failed: number;
  /** The next refresh. */
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** The pause must be kept even when another change arrives. */
  isPausing?: boolean;
}

/** Whether asking again later may be answered otherwise: no answer, too many calls, or a fault of the server. */
const isPassing = ({ status }: ApiError) => status === 0 || status === 429 || status >= 500;

/**
 * Middleware that carries out markStale. A running call may already have read the old data, but RTK Query does not start a second one beside
 * it, and learns the tags of a first call only from its answer. Such a call is repeated once it has ended. A refresh that fails is repeated too:
 * the change was heard, and nothing else would tell of it again.
 */
export function staleAnswers() {
  const listener = createListenerMiddleware();
  // The order of calls and changes; timestamps would be too coarse.
  let order = 0;
  const started = new Map<string, { order: number; at: number }>();
  let recent: { at: number; tags: ChangeTag[] }[] = [];
  const stale = new Map<string, StaleAnswer>();

  const noteStale = (key: string, { endpointName, originalArgs }: Query): StaleAnswer => {
    const answer = stale.get(key) ?? { endpointName, originalArgs, failed: 0 };
    stale.set(key, answer);
    return answer;
  };
  const settle = (key: string) => {
    clearTimeout(stale.get(key)?.timer);
    stale.delete(key);
  };
  type Dispatch = (action: UnknownAction) => unknown;
  const refresh = (key: string, dispatch: Dispatch) => {
    const answer = stale.get(key);
    if (!answer) return;
    clearTimeout(answer.timer);
    answer.timer = undefined;
    answer.isPausing = false;
    if (subscriberCount(dispatch, key) === 0) {
      settle(key);
      return dropAnswer(dispatch, key);
    }
    const endpoint = client.endpoints[answer.endpointName as 'getCurrentUser'];
    dispatch(endpoint.initiate(answer.originalArgs as undefined, { subscribe: false, forceRefetch: true }) as never);
  };
  const refreshAfter = (key: string, answer: StaleAnswer, ms: number, dispatch: Dispatch, isPausing: boolean) => {
    clearTimeout(answer.timer);
    Object.assign(answer, { isPausing, timer: setTimeout(() => refresh(key, dispatch), ms) });
  };

  listener.startListening({
    actionCreator: markStale,
    effect: ({ payload: tags }, { dispatch, getState }) => {
      recent = [...recent, { at: ++order, tags }].slice(-KEPT);
      for (const { queryCacheKey, ...query } of client.util.selectInvalidatedBy(getState() as never, tags)) {
        if (!noteStale(queryCacheKey, query).isPausing) refresh(queryCacheKey, dispatch);
      }
    },
  });
  listener.startListening({
    actionCreator: client.util.resetApiState,
    effect: () => [...stale.keys()].forEach(settle),
  });
  listener.startListening({
    predicate: ({ type }) => /^api\/executeQuery\/(pending|fulfilled|rejected)$/.test(type),
    effect: (action, { dispatch, getState }) => {
      const { type, meta, payload } = action as CallAction;
      const key = meta?.arg?.queryCacheKey;
      const id = meta?.requestId;
      if (!key || !id || meta.condition) return;
      if (type.endsWith('/pending')) return void started.set(id, { order: ++order, at: performance.now() });
      const call = started.get(id);
      started.delete(id);
      // The answer was dropped meanwhile: this call counts no longer, and another one may be under way in its place.
      if (!call || currentCall(getState(), key) !== id) return;
      const missed =
        (recent[0]?.at ?? 0) > call.order && recent.length === KEPT
          ? allTags
          : recent.filter(({ at }) => at > call.order).flatMap(({ tags }) => tags);
      const overtaken = client.util
        .selectInvalidatedBy(getState() as never, missed)
        .find(({ queryCacheKey }) => queryCacheKey === key);
      const failed = type.endsWith('/rejected') ? (payload as ApiError | undefined) : undefined;
      if (failed && isPassing(failed) && (overtaken ?? stale.has(key))) {
        const answer = noteStale(key, meta.arg!);
        const pause = Math.max(pauseBefore(FIRST_TRIES + answer.failed++), (failed.retryAfter ?? 0) * 1000);
        return refreshAfter(key, answer, pause, dispatch, false);
      }
      // A call that changes overtake each time would otherwise run without end. A sleep of the machine counts as no more than a call may take.
      if (overtaken)
        refreshAfter(key, noteStale(key, overtaken), Math.min(ANSWER_MS, performance.now() - call.at), dispatch, true);
      else settle(key);
    },
  });
  return listener.middleware;
}
