import { useState, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import { baseApi, sessionEnded } from '../api/base-api';
import { client } from '../api/client';
import { staleAnswers } from '../api/live/stale-answers';
import { authSlice, isLeaveSettled, type CurrentUser } from '../api/session';
import { unsavedInputs } from '../lib/unsaved-changes';
import { setDisplayZone } from '../lib/zone';

/** The channel between the tabs of one browser. Each posts the user it found signed in as JSON, or null. */
export type SessionChannel = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;

const { getCurrentUser } = client.endpoints;

/** The id of the user that another tab posted; undefined when nobody is signed in. */
const personIn = (posted: unknown): string | undefined =>
  typeof posted === 'string' ? (JSON.parse(posted) as CurrentUser).id : undefined;

/** Redux Toolkit's checks of the state traverse all of it with every action. They run with `npm run dev`; tests would be too slow. */
const CHECKS = Boolean(import.meta.env?.DEV);

/** The store: the API's cache and the state of the session. It drops the cache when the session ends, here or in another tab. */
export function makeStore(tabs?: SessionChannel) {
  const session = createListenerMiddleware();
  const store = configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer, [authSlice.name]: authSlice.reducer },
    middleware: (defaults) =>
      defaults({ immutableCheck: CHECKS, serializableCheck: CHECKS })
        .prepend(session.middleware)
        .concat(baseApi.middleware, staleAnswers()),
  });
  const knownUser = () => getCurrentUser.select()(store.getState() as never).data;
  const lapsedUser = () => store.getState().auth.lapsed;
  /**
   * Whose data the cache may hold. It outlives the answer who is signed in, which turns into null before anything is dropped, and which leaves the
   * cache by itself while a public page is open.
   */
  let owner: string | undefined;
  let isClearAwaited = false;
  // The guard then asks again who is signed in, and leads to /login. A logout or deletion that waits for its answer would be aborted by clearing
  // and count as refused, though it may be what ended the session: clearing waits for its answer.
  const clear = () => {
    isClearAwaited = store.getState().auth.isLeaving;
    if (isClearAwaited) return;
    store.dispatch(authSlice.actions.resumed());
    store.dispatch(client.util.resetApiState());
  };
  /** The session ended elsewhere. @returns true when the screen stays, because it holds unsaved input */
  const lapse = (user: CurrentUser | null | undefined) => {
    if (!user || store.getState().auth.hasLoggedOut || !unsavedInputs.isAnyInMemory()) return false;
    store.dispatch(authSlice.actions.lapsed(user));
    return true;
  };
  session.startListening({
    actionCreator: client.util.resetApiState,
    effect: () => {
      owner = undefined;
    },
  });
  session.startListening({
    actionCreator: sessionEnded,
    effect: () => {
      if (owner && !lapsedUser() && !lapse(knownUser())) clear();
    },
  });
  session.startListening({
    matcher: isLeaveSettled,
    effect: () => {
      if (isClearAwaited) clear();
    },
  });
  session.startListening({
    matcher: getCurrentUser.matchFulfilled,
    effect: ({ payload }, { getOriginalState }) => {
      const isSame = payload?.id === owner;
      if (!payload && (lapsedUser() ?? lapse(getCurrentUser.select()(getOriginalState() as never).data))) return;
      if (owner && !isSame) clear();
      // Nothing was dropped while a logout waits for its answer.
      if (payload && !isClearAwaited) owner = payload.id;
      if (isSame && lapsedUser()) store.dispatch(authSlice.actions.resumed());
    },
  });
  session.startListening({
    matcher: getCurrentUser.matchFulfilled,
    effect: ({ payload }) => setDisplayZone(payload?.timeZone),
  });
  if (!tabs) return store;
  // A refetch that another tab caused is not posted again: two releases side by side may get different answers and would repeat it for ever.
  const echoes = new Set<string>();
  session.startListening({
    matcher: getCurrentUser.matchFulfilled,
    effect: ({ payload, meta }) => {
      if (!echoes.delete(meta.requestId)) tabs.postMessage(payload ? JSON.stringify(payload) : null);
    },
  });
  // All tabs share one session. When another tab reports a different user or a changed one (verified, upgraded, renamed), this tab loads the
  // user again, and drops its cache if it is somebody else. A tab that already knows the same user does nothing.
  tabs.onmessage = async ({ data }) => {
    // A question that is under way may be answered for the session before.
    await store.dispatch(client.util.getRunningQueryThunk('getCurrentUser', undefined));
    const before = owner;
    if (!before || JSON.stringify(knownUser()) === data) return;
    // Somebody else: what is asked from here on is answered for that person, so nothing of the first may stand beside it while this tab asks.
    const named = personIn(data);
    if (named && named !== before && !lapsedUser()) return clear();
    const request = store.dispatch(getCurrentUser.initiate(undefined, { forceRefetch: true, subscribe: false }));
    echoes.add(request.requestId);
    const { isError } = await request;
    // Without an answer the other tab is believed: this one must not go on under the name of somebody else.
    if (isError && owner === before && !named && !lapsedUser() && !lapse(knownUser())) clear();
  };
  return store;
}

/** Provides the store, for all screens that are about an account. */
export default function StoreProvider({ children }: { children: ReactNode }) {
  const [store] = useState(() =>
    makeStore(typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('session')),
  );
  return <Provider store={store}>{children}</Provider>;
}
