import { createSlice, isAnyOf } from '@reduxjs/toolkit';
import { useDispatch, useSelector, useStore } from 'react-redux';
import { discardSendDraft } from '../lib/send-draft';
import { client } from './client';
import type { CurrentUserDto } from './endpoints.gen';

export type CurrentUser = CurrentUserDto;

/** Who is signed in: undefined while unknown, null when nobody is. */
export function useSession() {
  const { data, error, isLoading, isFetching, refetch } = client.useGetCurrentUserQuery();
  return { user: data as CurrentUser | null | undefined, error, isLoading, isFetching, refetch };
}

/** The signed-in person, for screens behind the guard. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession();
  if (!user) throw new Error('useCurrentUser is for signed-in screens');
  return user;
}

const { logout, deleteAccount } = client.endpoints;
const leaves = isAnyOf(logout.matchPending, deleteAccount.matchPending);
const stays = isAnyOf(logout.matchRejected, deleteAccount.matchRejected);

/**
 * Whether the person left by a button: then /login is the end of the way, and nobody is led back. Already while the server is asked, since
 * the stream of changes may say that the session is over before the answer does.
 */
export const departure = createSlice({
  name: 'departure',
  initialState: { hasLoggedOut: false },
  reducers: {
    loggedOut: (state) => {
      state.hasLoggedOut = true;
    },
  },
  extraReducers: (build) =>
    build
      .addMatcher(leaves, (state) => {
        state.hasLoggedOut = true;
      })
      .addMatcher(stays, (state) => {
        state.hasLoggedOut = false;
      })
      .addMatcher(client.endpoints.getCurrentUser.matchFulfilled, (state, { payload }) => {
        if (payload as CurrentUser | null) state.hasLoggedOut = false;
      }),
});

export const useHasLoggedOut = () => useSelector((state: { departure: { hasLoggedOut: boolean } }) => state.departure.hasLoggedOut);

/** Drops everything that was loaded for whoever was signed in; the guard then leads to /login. */
export function useForgetSession(): () => void {
  const dispatch = useDispatch();
  return () => {
    dispatch(departure.actions.loggedOut());
    dispatch(client.util.resetApiState());
  };
}

/**
 * The same at sign-out and with the account, when what this browser keeps of the account goes as well: its unsent message. To be called before
 * the server is asked, since afterwards the stream of changes may have made the app forget whose it was.
 * @returns what to call once the server has answered
 */
export function useForgetAccount(): () => () => void {
  const { getState } = useStore();
  const forget = useForgetSession();
  return () => {
    const { data } = client.endpoints.getCurrentUser.select()(getState() as never);
    return () => {
      if (data) discardSendDraft(data.id);
      forget();
    };
  };
}
