import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router-dom';

/** Parameters to set, or with null to remove. */
export type AddressChange = Record<string, string | null>;

interface WriteOptions {
  /** Takes the place of the present history entry: Back does not return to it. */
  replace?: boolean;
  /** Kept with the history entry, beside what is there already. */
  state?: Record<string, unknown>;
}

export interface Address {
  params: URLSearchParams;
  state: Record<string, unknown>;
  write: (change: AddressChange, options?: WriteOptions) => void;
}

/** Changes that the router has not shown yet, and since when: a second writer adds to them instead of undoing them. */
let staged: { from: Location; params: URLSearchParams; since: number } | null = null;

/** A navigation that is not shown by then was refused. */
const SHOWN_WITHIN_MS = 1000;

/** The parameters that a change adds to. @param from the location as the router gave it: who comes back to an entry has another one, of the same key */
function stage(from: Location): URLSearchParams {
  const now = performance.now();
  if (staged?.from !== from || now - staged.since > SHOWN_WITHIN_MS) staged = { from, params: new URLSearchParams(from.search), since: now };
  return staged.params;
}

const stateOf = (state: unknown): Record<string, unknown> => (typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {});

/** The parameters of the address as state: a link, a reload, Back and Forward show the same. */
export function useAddress(): Address {
  const location = useLocation();
  const { search, state: kept } = location;
  // A caller may hold on to `write` over an await: it writes to the address of that moment.
  const latest = useRef(location);
  useLayoutEffect(() => {
    latest.current = location;
  }, [location]);
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const state = stateOf(kept);
  const write = useCallback(
    (change: AddressChange, { replace = false, state: added }: WriteOptions = {}) => {
      const { hash, state: beside } = latest.current;
      const next = stage(latest.current);
      for (const [name, value] of Object.entries(change)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      void navigate({ search: next.toString(), hash }, { replace, state: { ...stateOf(beside), ...added }, preventScrollReset: true });
    },
    [navigate],
  );
  return { params, state, write };
}

const OPENED = 'opened';

/** Something opened above a screen, by its id in the address: opening makes a history entry, so that Back closes it. */
export function useOpenInAddress(name: string): [id: string | null, open: (id: string) => void, close: () => void] {
  const { params, state, write } = useAddress();
  const navigate = useNavigate();
  const wasOpenedHere = state[OPENED] === name;
  const open = useCallback((id: string) => write({ [name]: id }, { state: { [OPENED]: name } }), [name, write]);
  const close = () => (wasOpenedHere ? void navigate(-1) : write({ [name]: null }, { replace: true }));
  return [params.get(name), open, close];
}
