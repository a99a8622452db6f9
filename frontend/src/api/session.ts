import { useDispatch, useSelector, useStore } from 'react-redux';
import { createSlice, isAnyOf, type PayloadAction, type ThunkDispatch, type UnknownAction } from '@reduxjs/toolkit';
import { discardSendDraft } from '../lib/send-draft';
import { client } from './client';
import type { CurrentUserDto } from './endpoints.gen';

export type CurrentUser = CurrentUserDto;

/**
 * The signed-in user: undefined while unknown, null when signed out. A user whose session has lapsed stays the
 * signed-in user until the screen may be left.
 */
export function useSession() {
  const { data, error, isLoading, isFetching, refetch } = client.useGetCurrentUserQuery();
  const lapsed = useLapsedUser();
  return { user: (data ?? lapsed ?? data) as CurrentUser | null | undefined, error, isLoading, isFetching, refetch };
}

/** The signed-in user, for screens that SignedInGuard wraps. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession();
  if (!user) throw new Error('useCurrentUser is for signed-in screens');
  return user;
}

const { logout, deleteAccount, getCurrentUser } = client.endpoints;
const isLeaveRequested = isAnyOf(logout.matchPending, deleteAccount.matchPending);
const isLeaveAccepted = isAnyOf(logout.matchFulfilled, deleteAccount.matchFulfilled);
const isLeaveRefused = isAnyOf(logout.matchRejected, deleteAccount.matchRejected);
/** Matches the end of the call that logs out or deletes the account, whether accepted or refused. */
export const isLeaveSettled = isAnyOf(isLeaveAccepted, isLeaveRefused);

interface AuthState {
  /** The person logged out, deleted the account or left a lapsed screen: /login is then opened without `next`. */
  hasLoggedOut: boolean;
  /** The logout is not answered yet, so answers about the user may already be outdated. */
  isLeaving: boolean;
  /** Request id of the newest getCurrentUser call since the logout. Answers to older calls are ignored. */
  askedSince: string | null;
  /** The user whose session ended elsewhere while the screen holds unsaved input. The screen stays and asks to sign in again. */
  lapsed: CurrentUser | null;
}

/**
 * How the session ended. `hasLoggedOut` is set before the server has answered, because the stream of changes may report
 * the end of the session earlier.
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
 * Fetches the signed-in user again. Waits for a running call first: its answer may be about the previous session, and
 * RTK Query starts no second call beside it.
 */
export const askWhoIsSignedIn = async (dispatch: SessionDispatch) => {
  await dispatch(client.util.getRunningQueryThunk('getCurrentUser', undefined));
  return dispatch(getCurrentUser.initiate(undefined, { forceRefetch: true, subscribe: false }));
};

/** Returns a function that fetches the signed-in user, for use after the session has begun. */
export function useAskWhoIsSignedIn() {
  const dispatch = useDispatch<SessionDispatch>();
  return () => dispatch(askWhoIsSignedIn);
}

type SessionDispatch = ThunkDispatch<never, unknown, UnknownAction>;

interface StateWithAuth {
  auth: AuthState;
}

/**
 * The user whose session ended while the screen holds unsaved input.
 * @returns null in every other case
 */
export const useLapsedUser = () => useSelector((state: StateWithAuth) => state.auth.lapsed);

export const useHasLoggedOut = () => useSelector((state: StateWithAuth) => state.auth.hasLoggedOut);

/**
 * Whether calls may be made for a user.
 * - `active`: the user is signed in, also while a logout is not answered yet
 * - `lapsed`: the session ended elsewhere, and the screen stays until the user signs in again
 * - `ended`: the user signed out, or nobody or another user is signed in here
 */
export type SessionState = 'active' | 'lapsed' | 'ended';

/**
 * Returns a function that tells the state of a user's session, for calls that are made later than the user acts: they
 * would go into the account of whoever is signed in by then.
 */
export function useSessionState(userId: string): () => SessionState {
  const { getState } = useStore<StateWithAuth>();
  return () => {
    const { hasLoggedOut, isLeaving, lapsed } = getState().auth;
    const { data } = client.endpoints.getCurrentUser.select()(getState() as never);
    if ((hasLoggedOut && !isLeaving) || (data?.id ?? lapsed?.id) !== userId) return 'ended';
    return lapsed ? 'lapsed' : 'active';
  };
}

/** Returns a function that drops all data of the user; the guard then redirects to /login. */
export function useClearSession(): () => void {
  const dispatch = useDispatch();
  return () => {
    dispatch(authSlice.actions.loggedOut());
    dispatch(authSlice.actions.resumed());
    dispatch(client.util.resetApiState());
  };
}

/**
 * For logging out and deleting the account, which also discard the unsent draft that this browser keeps. Call the
 * returned function before the request: afterwards the stream of changes may already have removed the user from the
 * store.
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
