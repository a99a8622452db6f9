import { createAction, createListenerMiddleware, type UnknownAction } from '@reduxjs/toolkit';
import { ANSWER_TIMEOUT_MS, type ApiError } from '../api-error';
import { client } from '../client';
import { allTags, type ChangeTag } from './changes';
import { pauseBefore } from './event-stream';
import { currentCall, removeAnswer, subscriberCount } from './cached-answers';

/** Number of remembered changes. A call during which more of them arrived is always repeated. */
const MAX_REMEMBERED_CHANGES = 200;
/** Number of failed attempts that the first pause after a failed refetch assumes, which makes it 2 to 4 s. */
const INITIAL_ATTEMPTS = 2;

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

/** A cached answer that a change made stale and that was not refetched yet. */
interface StaleAnswer extends Query {
  /** Failed refreshes in a row. */
  failed: number;
  /** Timer of the next refresh. */
  timer?: ReturnType<typeof setTimeout> | undefined;
  /** True during the pause after a call that was outdated when it ended. Another change does not end this pause. */
  isPausing?: boolean;
}

/** Whether a later attempt may succeed: there was no answer, there were too many calls, or the server had an error. */
const isTemporary = ({ status }: ApiError) => status === 0 || status === 429 || status >= 500;

/**
 * Middleware that carries out markStale. A running call may have read the data before the change. RTK Query neither
 * starts a second call beside it, nor knows the tags of a first call before its answer, so such a call is repeated once
 * it has ended. A failed refetch is repeated as well, because the change is not reported again.
 */
export function staleAnswers() {
  const listener = createListenerMiddleware();
  // Sequence number of calls and changes; timestamps would be too coarse.
  let order = 0;
  const started = new Map<string, { order: number; at: number }>();
  let recent: { at: number; tags: ChangeTag[] }[] = [];
  const stale = new Map<string, StaleAnswer>();

  const noteStale = (key: string, { endpointName, originalArgs }: Query): StaleAnswer => {
    const answer = stale.get(key) ?? { endpointName, originalArgs, failed: 0 };
    stale.set(key, answer);
    return answer;
  };
  const forget = (key: string) => {
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
      forget(key);
      return removeAnswer(dispatch, key);
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
      recent = [...recent, { at: ++order, tags }].slice(-MAX_REMEMBERED_CHANGES);
      for (const { queryCacheKey, ...query } of client.util.selectInvalidatedBy(getState() as never, tags)) {
        if (!noteStale(queryCacheKey, query).isPausing) refresh(queryCacheKey, dispatch);
      }
    },
  });
  listener.startListening({
    actionCreator: client.util.resetApiState,
    effect: () => [...stale.keys()].forEach(forget),
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
      // The answer was dropped meanwhile, so this call no longer counts; a new call for the same key may be running.
      if (!call || currentCall(getState(), key) !== id) return;
      const missed =
        (recent[0]?.at ?? 0) > call.order && recent.length === MAX_REMEMBERED_CHANGES
          ? allTags
          : recent.filter(({ at }) => at > call.order).flatMap(({ tags }) => tags);
      const outdated = client.util
        .selectInvalidatedBy(getState() as never, missed)
        .find(({ queryCacheKey }) => queryCacheKey === key);
      const failed = type.endsWith('/rejected') ? (payload as ApiError | undefined) : undefined;
      if (failed && isTemporary(failed) && (outdated ?? stale.has(key))) {
        const answer = noteStale(key, meta.arg!);
        const pause = Math.max(pauseBefore(INITIAL_ATTEMPTS + answer.failed++), (failed.retryAfter ?? 0) * 1000);
        return refreshAfter(key, answer, pause, dispatch, false);
      }
      // The pause grows with the duration of the call: otherwise a call during which the data always changes would be
      // repeated without end. The pause is limited, because a sleep of the machine would count as duration.
      if (outdated)
        refreshAfter(
          key,
          noteStale(key, outdated),
          Math.min(ANSWER_TIMEOUT_MS, performance.now() - call.at),
          dispatch,
          true,
        );
      else forget(key);
    },
  });
  return listener.middleware;
}
