import { configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import { baseApi, sessionEnded } from '../api/base-api';
import { client } from '../api/client';
import { departure } from '../api/session';

/** The store: the API's cache, and forgetting it when the session ends under us. */
export function makeStore() {
  const session = createListenerMiddleware();
  const store = configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer, [departure.name]: departure.reducer },
    middleware: (defaults) => defaults().prepend(session.middleware).concat(baseApi.middleware),
  });
  session.startListening({
    actionCreator: sessionEnded,
    effect: () => {
      const { data } = client.endpoints.getCurrentUser.select()(store.getState() as never);
      // The question who is signed in is then asked again, and the guard leads to /login.
      if (data) store.dispatch(client.util.resetApiState());
    },
  });
  return store;
}
