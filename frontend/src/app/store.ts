import { configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import { baseApi, sessionEnded } from '../api/base-api';
import { client } from '../api/client';
import { departure } from '../api/session';
import { setDisplayZone } from '../lib/format';

/** The line between the tabs of one browser: who each of them found signed in. */
export type TabLine = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;

const { getCurrentUser } = client.endpoints;

/** The store: the API's cache, and forgetting it when the session ends under us, here or in another tab. */
export function makeStore(tabs?: TabLine) {
  const session = createListenerMiddleware();
  const store = configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer, [departure.name]: departure.reducer },
    middleware: (defaults) => defaults().prepend(session.middleware).concat(baseApi.middleware),
  });
  const known = () => getCurrentUser.select()(store.getState() as never).data?.id;
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
  session.startListening({
    matcher: getCurrentUser.matchFulfilled,
    effect: ({ payload }) => tabs.postMessage(payload?.id ?? null),
  });
  // All tabs have one session: what was loaded for somebody else is not shown to whoever signed in elsewhere.
  tabs.onmessage = async ({ data }) => {
    const before = known();
    if (!before || before === data) return;
    const { data: now } = await store.dispatch(getCurrentUser.initiate(undefined, { forceRefetch: true, subscribe: false }));
    if (now?.id !== before) forget();
  };
  return store;
}
