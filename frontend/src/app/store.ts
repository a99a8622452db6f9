import { configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import { baseApi, sessionEnded } from '../api/base-api';
import { client } from '../api/client';
import { staleAnswers } from '../api/live/stale-answers';
import { departure } from '../api/session';
import { setDisplayZone } from '../lib/format';

/** The line between the tabs of one browser: who each of them found signed in, as JSON, or null. */
export type TabLine = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;

const { getCurrentUser } = client.endpoints;

/** The store: the API's cache, and forgetting it when the session ends under us, here or in another tab. */
export function makeStore(tabs?: TabLine) {
  const session = createListenerMiddleware();
  const store = configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer, [departure.name]: departure.reducer },
    middleware: (defaults) => defaults().prepend(session.middleware).concat(baseApi.middleware, staleAnswers()),
  });
  const knownUser = () => getCurrentUser.select()(store.getState() as never).data;
  const known = () => knownUser()?.id;
  // The question who is signed in is then asked again, and the guard leads to /login.
  const forget = () => void store.dispatch(client.util.resetApiState());
  session.startListening({
    actionCreator: sessionEnded,
    effect: () => {
      if (known()) forget();
    },
  });
  session.startListening({
    matcher: getCurrentUser.matchFulfilled,
    effect: ({ payload }) => setDisplayZone(payload?.timeZone),
  });
  if (!tabs) return store;
  // Whoever asks because another tab said so tells nobody: two tabs that are answered differently (two releases side by side) would never rest.
  const echoes = new Set<string>();
  session.startListening({
    matcher: getCurrentUser.matchFulfilled,
    effect: ({ payload, meta }) => {
      if (!echoes.delete(meta.requestId)) tabs.postMessage(payload ? JSON.stringify(payload) : null);
    },
  });
  // All tabs have one session: what was loaded for somebody else is not shown to whoever signed in elsewhere, and what a tab learns of the
  // person (verified, upgraded, renamed) the others ask for too. A tab that knows the same already asks nothing.
  tabs.onmessage = async ({ data }) => {
    const before = known();
    if (!before || JSON.stringify(knownUser()) === data) return;
    const asked = store.dispatch(getCurrentUser.initiate(undefined, { forceRefetch: true, subscribe: false }));
    echoes.add(asked.requestId);
    const { data: now } = await asked;
    if (now?.id !== before) forget();
  };
  return store;
}
