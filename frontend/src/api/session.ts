import { useDispatch, useSelector, useStore } from 'react-redux';
import { createSlice, isAnyOf, type PayloadAction, type ThunkDispatch, type UnknownAction } from '@reduxjs/toolkit';
import { discardSendDraft } from '../lib/send-draft';
import { client } from './client';
import type { CurrentUserDto } from './endpoints.gen';

export type CurrentUser = CurrentUserDto;

/** Who is signed in: undefined while unknown, null when nobody is. A user whose session lapsed counts until the screen may be left. */
export function useSession() {
  const { data, error, isLoading, isFetching, refetch } = client.useGetCurrentUserQuery();
  const lapsed = useLapsedUser();
  return { user: (data ?? lapsed ?? data) as CurrentUser | null | undefined, error, isLoading, isFetching, refetch };
}

/** The signed-in user, for screens behind the guard. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession();
  if (!user) throw new Error('useCurrentUser is for signed-in screens');
  return user;
}

const { logout, deleteAccount, getCurrentUser } = client.endpoints;
const isLeaveRequested = isAnyOf(logout.matchPending, deleteAccount.matchPending);
const isLeaveAccepted = isAnyOf(logout.matchFulfilled, deleteAccount.matchFulfilled);
const isLeaveRefused = isAnyOf(logout.matchRejected, deleteAccount.matchRejected);
/** A logout or deletion was answered, or waits for its answer no longer. */
export const isLeaveSettled = isAnyOf(isLeaveAccepted, isLeaveRefused);

interface AuthState {
  /** The person logged out or deleted the account: /login is then opened without `next`. */
  hasLoggedOut: boolean;
  /** The server has not answered the logout yet, so its answers about the user may already be outdated. */
  isLeaving: boolean;
  /** Request id of the newest question who is signed in that was asked after the logout. Older answers do not count. */
  askedSince: string | null;
  /** The user whose session ended elsewhere while the screen holds unsaved input. The screen stays and asks to sign in again. */
  lapsed: CurrentUser | null;
}

/**
 * How the session ended. `hasLoggedOut` is set before the server has answered, because the stream of changes may report the end of the session
 * before the answer to the logout arrives.
 */
export const authSlice = createSlice({
  name: 'auth',
  initialState: { hasLoggedOut: false, isLeaving: false, askedSince: null, lapsed: null } as AuthState,
  reducers: {
    loggedOut: (state) => {
      state.hasLoggedOut = true;
    },
    lapsed: (state, { payload }: PayloadAction<CurrentUser>) => {
      state.lapsed = payload;
    },
    resumed: (state) => {
      state.lapsed = null;
    },
  },
  extraReducers: (build) =>
    build
      .addMatcher(isLeaveRequested, (state) => {
        state.hasLoggedOut = true;
        state.isLeaving = true;
        state.askedSince = null;
      })
      .addMatcher(isLeaveAccepted, (state) => {
        state.isLeaving = false;
      })
      .addMatcher(isLeaveRefused, (state) => {
        state.hasLoggedOut = false;
        state.isLeaving = false;
      })
      .addMatcher(getCurrentUser.matchPending, (state, { meta }) => {
        if (state.hasLoggedOut && !state.isLeaving) state.askedSince = meta.requestId;
      })
      .addMatcher(getCurrentUser.matchFulfilled, (state, { payload, meta }) => {
        if ((payload as CurrentUser | null) && state.askedSince === meta.requestId) state.hasLoggedOut = false;
      }),
});

/**
 * Asks who is signed in now. A question that is under way may have been answered for the session before, and RTK Query starts no second one beside
 * it: this one waits for its end.
 */
export const askWhoIsSignedIn = async (dispatch: SessionDispatch) => {
  await dispatch(client.util.getRunningQueryThunk('getCurrentUser', undefined));
  return dispatch(getCurrentUser.initiate(undefined, { forceRefetch: true, subscribe: false }));
};

/** Returns a function that asks who is signed in now, after the session has begun. */
export function useAskWhoIsSignedIn() {
  const dispatch = useDispatch<SessionDispatch>();
  return () => dispatch(askWhoIsSignedIn);
}

type SessionDispatch = ThunkDispatch<never, unknown, UnknownAction>;

interface StateWithAuth {
  auth: AuthState;
}

/** The user whose session ended while the screen holds unsaved input; null otherwise. */
export const useLapsedUser = () => useSelector((state: StateWithAuth) => state.auth.lapsed);

export const useHasLoggedOut = () => useSelector((state: StateWithAuth) => state.auth.hasLoggedOut);

/** Returns a function that drops everything loaded for the user; the guard then leads to /login. */
export function useClearSession(): () => void {
  const dispatch = useDispatch();
  return () => {
    dispatch(authSlice.actions.loggedOut());
    dispatch(authSlice.actions.resumed());
    dispatch(client.util.resetApiState());
  };
}

/**
 * For logging out and deleting the account, which also discard the unsent draft that this browser keeps. The returned function has to be called
 * before the request, since afterwards the stream of changes may already have cleared who was signed in.
 * @returns a function whose result clears the session and the draft once the server has accepted
 */
export function usePrepareSignOut(): () => () => void {
  const { getState } = useStore();
  const clearSession = useClearSession();
  return () => {
    const { data } = client.endpoints.getCurrentUser.select()(getState() as never);
    return () => {
      if (data) discardSendDraft(data.id);
      clearSession();
    };
  };
}
