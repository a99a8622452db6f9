import { useState, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import { baseApi, sessionEnded } from '../api/base-api';
import { client } from '../api/client';
import { staleAnswers } from '../api/live/stale-answers';
import { authSlice, isLeaveSettled, type CurrentUser } from '../api/session';
import { unsavedInputs } from '../lib/unsaved-changes';
import { setDisplayZone } from '../lib/zone';

/** The channel between the tabs of one browser. Each tab posts the user that it found signed in, as JSON or null. */
export type SessionChannel = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;

const { getCurrentUser } = client.endpoints;

/** The id of the user that another tab posted; undefined when nobody is signed in. */
const postedUserIdOf = (posted: unknown): string | undefined =>
  typeof posted === 'string' ? (JSON.parse(posted) as CurrentUser).id : undefined;

/**
 * Redux Toolkit's checks traverse the whole state with every action. They run with `npm run dev`; in tests they would
 * be too slow.
 */
const IS_DEVELOPMENT = Boolean(import.meta.env?.DEV);

/**
 * The store: the API's cache and the state of the session. Drops the cache when the session ends, here or in another
 * tab. Keeps it while the screen holds unsaved input, unless the user logged out.
 */
export function makeStore(tabs?: SessionChannel) {
  const session = createListenerMiddleware();
  const store = configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer, [authSlice.name]: authSlice.reducer },
    middleware: (defaults) =>
      defaults({ immutableCheck: IS_DEVELOPMENT, serializableCheck: IS_DEVELOPMENT })
        .prepend(session.middleware)
        .concat(baseApi.middleware, staleAnswers()),
  });
  const knownUser = () => getCurrentUser.select()(store.getState() as never).data;
  const lapsedUser = () => store.getState().auth.lapsed;
  /**
   * Id of the user whose data the cache may hold. Kept apart from the cached user, which becomes null before the cache
   * is cleared, and which is dropped while a public page is open.
   */
  let owner: string | undefined;
  let isClearAwaited = false;
  // After clearing, the guard fetches the user again and redirects to /login. Clearing would abort a running logout or
  // deletion, which would then count as refused although it may be what ended the session. So clearing waits for the
  // answer to that call.
  const clear = () => {
    isClearAwaited = store.getState().auth.isLeaving;
    if (isClearAwaited) return;
    store.dispatch(authSlice.actions.resumed());
    store.dispatch(client.util.resetApiState());
  };
  /** Handles a session that ended elsewhere. @returns true if the screen stays because it holds unsaved input */
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
      // While clearing waits for the answer to a logout, the cache still holds the previous user's data, so `owner`
      // does not change yet.
      if (payload && !isClearAwaited) owner = payload.id;
      if (isSame && lapsedUser()) store.dispatch(authSlice.actions.resumed());
    },
  });
  session.startListening({
    matcher: getCurrentUser.matchFulfilled,
    effect: ({ payload }) => setDisplayZone(payload?.timeZone),
  });
  if (!tabs) return store;
  // Ids of requests that another tab's message caused. Their results are not posted again: two releases side by side
  // may get different answers and would exchange messages for ever.
  const ownRefetches = new Set<string>();
  session.startListening({
    matcher: getCurrentUser.matchFulfilled,
    effect: ({ payload, meta }) => {
      if (!ownRefetches.delete(meta.requestId)) tabs.postMessage(payload ? JSON.stringify(payload) : null);
    },
  });
  // All tabs share one session. When another tab reports a different user, or changes of the user (verified, upgraded,
  // renamed), this tab fetches the user again, and clears its cache if it is somebody else. A tab that already knows
  // the same user does nothing.
  tabs.onmessage = async ({ data }) => {
    // The answer to a running call may be about the previous session, so it is awaited first.
    await store.dispatch(client.util.getRunningQueryThunk('getCurrentUser', undefined));
    const before = owner;
    if (!before || JSON.stringify(knownUser()) === data) return;
    // Another user: everything fetched from now on is that user's data, so the first user's data must be cleared
    // before.
    const postedUserId = postedUserIdOf(data);
    if (postedUserId && postedUserId !== before && !lapsedUser()) return clear();
    const request = store.dispatch(getCurrentUser.initiate(undefined, { forceRefetch: true, subscribe: false }));
    ownRefetches.add(request.requestId);
    const { isError } = await request;
    // If the call failed, this tab believes the other tab's message that nobody is signed in, and clears. Otherwise it
    // could show one user's data in another user's session.
    if (isError && owner === before && !postedUserId && !lapsedUser() && !lapse(knownUser())) clear();
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
