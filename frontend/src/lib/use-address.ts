import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, type Location } from 'react-router-dom';
import { unsavedInputs } from './unsaved-changes';

/** Parameters to set; null removes a parameter. */
export type AddressChange = Record<string, string | null>;

interface WriteOptions {
  /** Whether to replace the present history entry, so that Back does not return to it. */
  replace?: boolean;
  /** Added to the state of the history entry. */
  state?: Record<string, unknown>;
  /** Path to write instead of the present one. It must show the same screen. */
  pathname?: string;
}

export interface Address {
  params: URLSearchParams;
  state: Record<string, unknown>;
  write: (change: AddressChange, options?: WriteOptions) => void;
}

const stateOf = (state: unknown): Record<string, unknown> =>
  typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {};

/** Key in the state of a history entry for the screen from which it was opened. */
export const OPENED_FROM_STATE = 'openedFrom';

/** The screen from which a history entry was opened, and how many entries lie between them. */
interface OpenedFrom {
  path: string;
  steps: number;
}

/**
 * Reads OPENED_FROM_STATE from the state of a history entry.
 * @returns null if the entry was opened in another way, such as by a link from another site
 */
export function openedFrom(state: unknown): OpenedFrom | null {
  const from = stateOf(stateOf(state)[OPENED_FROM_STATE]);
  return typeof from.path === 'string' && typeof from.steps === 'number'
    ? { path: from.path, steps: from.steps }
    : null;
}

interface PendingAddress {
  from: Location;
  pathname: string;
  params: URLSearchParams;
  state: Record<string, unknown>;
}

/**
 * Changes of the URL that are not rendered yet; rendering takes seconds on a slow device. A second change is added to
 * them, because on its own it would undo them.
 */
let pendingAddress: PendingAddress | null = null;

/**
 * The staged state to which a change is added.
 * @param from the router's location object; returning to a history entry gives a new object with the same key
 */
function pendingFor(from: Location): PendingAddress {
  if (pendingAddress?.from !== from)
    pendingAddress = {
      from,
      pathname: from.pathname,
      params: new URLSearchParams(from.search),
      state: { ...stateOf(from.state) },
    };
  return pendingAddress;
}

/** The parameters of the URL as state, so that a link, a reload, Back and Forward show the same screen. */
export function useAddress(): Address {
  const location = useLocation();
  const { search, state: kept } = location;
  // A caller may use `write` after an await; it then changes the URL that is current at that time.
  const latest = useRef(location);
  useLayoutEffect(() => {
    latest.current = location;
  }, [location]);
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const state = stateOf(kept);
  const write = useCallback(
    (change: AddressChange, { replace = false, state: added, pathname }: WriteOptions = {}) => {
      const { hash } = latest.current;
      const to = pendingFor(latest.current);
      const { params: next, state: nextState } = to;
      if (pathname !== undefined) to.pathname = pathname;
      const from = openedFrom(nextState);
      if (from && !replace) nextState[OPENED_FROM_STATE] = { ...from, steps: from.steps + 1 };
      Object.assign(nextState, added);
      for (const [name, value] of Object.entries(change)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      const go = () =>
        void navigate(
          { pathname: to.pathname, search: next.toString(), hash },
          { replace, state: { ...nextState }, preventScrollReset: true },
        );
      // `navigate` calls the blocker synchronously, so `withoutQuestion` prevents the question.
      if (to.pathname !== latest.current.pathname) unsavedInputs.withoutQuestion(go);
      else if (unsavedInputs.isQuestionAsked(go)) pendingAddress = null;
    },
    [navigate],
  );
  return { params, state, write };
}

const OPENED_STATE = 'opened';

/**
 * State of something that is opened above a screen, with its id in the URL. Opening adds a history entry, so that Back
 * closes it.
 */
export function useOpenInAddress(name: string): [id: string | null, open: (id: string) => void, close: () => void] {
  const { params, state, write } = useAddress();
  const navigate = useNavigate();
  const wasOpenedHere = state[OPENED_STATE] === name;
  const open = useCallback((id: string) => write({ [name]: id }, { state: { [OPENED_STATE]: name } }), [name, write]);
  const close = () => {
    if (!wasOpenedHere) return write({ [name]: null }, { replace: true });
    unsavedInputs.noteClosing();
    void navigate(-1);
  };
  return [params.get(name), open, close];
}
