import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { answer, signedOut, someone } from '../../test/fake-api';
import { client } from '../api/client';
import { markStale } from '../api/live/stale-answers';
import { usePrepareSignOut } from '../api/session';
import { makeStore, type SessionChannel } from './store-provider';

type Store = ReturnType<typeof makeStore>;
type Query = typeof client.endpoints.getCurrentUser;

/** Every cached call, from the generated list. */
const queries = Object.entries(client.endpoints)
  .filter(([name, endpoint]) => name !== 'getCurrentUser' && 'useQuery' in endpoint)
  .map(([name, endpoint]) => [name, endpoint as unknown as Query] as const);
/**
 * Arguments for all calls. A call that needs further values sends `undefined` for them: the server of this test answers
 * any path.
 */
const ARG = {
  id: 'x1',
  jobId: 'x1',
  listId: 'x1',
  previewSendDto: { emailListIds: ['x1'] },
  checkSendDto: { emailListIds: ['x1'] },
  readRequirementDto: { text: 'x1' },
  composeRequirementDto: { job: {} },
};

/** Whose session cookie the browser holds; null once the session has ended. */
let cookie: string | null;
let real: typeof fetch;

beforeEach(() => {
  real = globalThis.fetch;
  globalThis.fetch = async (input) => {
    const { pathname } = new URL((input as Request).url);
    const who = cookie;
    await Promise.resolve();
    if (pathname === '/api/auth/logout') return answer({ message: 'Bye' });
    if (who === null) return signedOut();
    return answer(pathname === '/api/auth/user' ? someone({ id: who }) : [{ owner: who }]);
  };
});
afterEach(() => {
  globalThis.fetch = real;
});

/** The channel by which the tabs of one browser report who is signed in. */
function browser() {
  const channels: SessionChannel[] = [];
  return () => {
    const own: SessionChannel = {
      onmessage: null,
      postMessage: (data) => {
        for (const other of channels)
          if (other !== own)
            queueMicrotask(() => void other.onmessage?.call(other as BroadcastChannel, { data } as MessageEvent));
      },
    };
    channels.push(own);
    return makeStore(own);
  };
}

const me = (store: Store) => client.endpoints.getCurrentUser.select()(store.getState() as never).data;
const askMe = (store: Store) =>
  store.dispatch(client.endpoints.getCurrentUser.initiate(undefined, { forceRefetch: true }));
/** Fetches like a screen: cached answers are not fetched again. */
const showAll = (store: Store) => {
  const shown = queries.map(([, endpoint]) => store.dispatch(endpoint.initiate(ARG as never)));
  return Promise.all(shown).then(() => () => shown.forEach((one) => one.unsubscribe()));
};
/** Calls whose answer on the screen belongs to that person, or contains anything of theirs. */
const shownOf = (store: Store, who: string) =>
  queries
    .filter(([, endpoint]) =>
      JSON.stringify(endpoint.select(ARG as never)(store.getState() as never).data ?? null).includes(`"${who}"`),
    )
    .map(([name]) => name);
const names = queries.map(([name]) => name);

async function signIn(store: Store, who: string) {
  cookie = who;
  await askMe(store);
  // Once the store has dropped the answer together with the first person's data, a hook fetches it again.
  if (me(store)?.id !== who) await askMe(store);
  return showAll(store);
}

/** Ways in which the first person's session ends, as seen by this tab. */
const ends: Record<string, (tab: Store, another: Store) => Promise<unknown> | void> = {
  'the account was suspended: the stream says that the person changed': async (tab) => {
    cookie = null;
    tab.dispatch(markStale([{ type: 'Me' }]));
    await waitFor(() => expect(me(tab)).toBeFalsy());
  },
  'the session ran out: the next call is refused': async (tab) => {
    cookie = null;
    await tab.dispatch(client.endpoints.listEmailLists.initiate({ search: 'new' }, { subscribe: false }));
  },
  'other devices were signed out elsewhere: the stream ended, and who is signed in is asked': async (tab) => {
    cookie = null;
    await askMe(tab);
  },
  'the password was changed elsewhere: the other tab learned of it first': async (_tab, another) => {
    cookie = null;
    await askMe(another);
  },
  'the person signed out in the other tab': async (_tab, another) => {
    const { result } = renderHook(() => usePrepareSignOut(), {
      wrapper: ({ children }: { children: ReactNode }) => createElement(Provider, { store: another, children }),
    });
    const finish = result.current();
    cookie = null;
    await another.dispatch(client.endpoints.logout.initiate());
    finish();
    await askMe(another);
  },
  'the person signed out here': async (tab) => {
    const { result } = renderHook(() => usePrepareSignOut(), {
      wrapper: ({ children }: { children: ReactNode }) => createElement(Provider, { store: tab, children }),
    });
    const finish = result.current();
    cookie = null;
    await tab.dispatch(client.endpoints.logout.initiate());
    finish();
  },
  'the second person signed in elsewhere, and nothing was asked meanwhile': () => {
    cookie = 'ben';
  },
  'the answer who is signed in had left the cache before the others': (tab) => {
    const key = { queryCacheKey: 'getCurrentUser(undefined)' as never };
    tab.dispatch(client.internalActions.removeQueryResult(key));
    cookie = null;
  },
};

describe('two users in turn', () => {
  it('are tested with all cached requests', () => {
    expect(names.length).toBeGreaterThan(60);
    expect(names).toEqual(expect.arrayContaining(['listEmailLists', 'getDashboardStats', 'listUsers']));
  });

  const cases = Object.keys(ends).flatMap((end) => [
    [end, 'on a screen'],
    [end, 'left'],
  ]);

  it.each(cases)('in one tab: the second gets no data of the first: %s (%s)', async (end, where) => {
    const open = browser();
    const [tab, another] = [open(), open()];
    const leave = await signIn(tab, 'ana');
    await signIn(another, 'ana');
    expect(shownOf(tab, 'ana')).toEqual(names);
    if (where === 'left') leave();
    await ends[end]!(tab, another);
    await signIn(tab, 'ben');
    expect(shownOf(tab, 'ana')).toEqual([]);
    expect(shownOf(tab, 'ben')).toEqual(names);
  });

  it.each(cases)('in two tabs: neither shows the second any data of the first: %s (%s)', async (end, where) => {
    const open = browser();
    const [tab, another] = [open(), open()];
    const leave = [await signIn(tab, 'ana'), await signIn(another, 'ana')];
    if (where === 'left') leave.forEach((go) => go());
    await ends[end]!(tab, another);
    // The second person signs in at the other tab, and this tab becomes visible later.
    await signIn(another, 'ben');
    await signIn(tab, 'ben');
    for (const one of [tab, another]) {
      expect(shownOf(one, 'ana')).toEqual([]);
      expect(shownOf(one, 'ben')).toEqual(names);
    }
  });

  it('the same user signing in again gets everything fetched anew', async () => {
    const tab = browser()();
    const leave = await signIn(tab, 'ana');
    leave();
    cookie = null;
    tab.dispatch(markStale([{ type: 'Me' }]));
    await waitFor(() => expect(me(tab)).toBeFalsy());
    let asked = 0;
    const before = globalThis.fetch;
    globalThis.fetch = (...args) => (asked++, before(...args));
    await signIn(tab, 'ana');
    expect(asked).toBeGreaterThanOrEqual(names.length);
  });
});
