import { client } from '../client';
import { allTags, staleTags } from './changes';
import { followAccount } from './live-connection';
import { markStale } from './stale-answers';

/** A screen nobody looks at is brought up to date at most this often; what runs is shown in its tab's title. */
const HIDDEN_MS = 10_000;

/**
 * The connection that keeps the cache true: a cache entry that lives as long as somebody signed in looks at the app. What the server says
 * changed is fetched again where it is on a screen, and forgotten where it is not.
 */
const live = client.injectEndpoints({
  endpoints: (build) => ({
    followChanges: build.query<{ isLive: boolean }, string>({
      queryFn: () => ({ data: { isLive: true } }),
      keepUnusedDataFor: 0,
      async onCacheEntryAdded(account, { dispatch, getState, updateCachedData, cacheDataLoaded, cacheEntryRemoved }) {
        const ending = new AbortController();
        const shownSince = client.endpoints.getCurrentUser.select()(getState() as never).startedTimeStamp ?? Date.now();
        await cacheDataLoaded.catch(() => undefined);
        const stale = whileHidden(ending.signal, (tags) => dispatch(markStale(tags)));
        followAccount(account, shownSince, ending.signal, {
          changed: (change) => stale(staleTags(change)),
          refresh: () => stale(allTags),
          live: (isLive) => updateCachedData((state) => void (state.isLive = isLive)),
          lost: () => stale([{ type: 'Me' }]),
        });
        await cacheEntryRemoved;
        ending.abort();
      },
    }),
  }),
});

/** Keeps what is on the screen true while somebody is signed in; says whether changes are heard at present. */
export const useLiveChanges = (account: string): boolean => live.useFollowChangesQuery(account).data?.isLive ?? true;

/** Passes tags on at once while the page is seen; while it is hidden gathers them, until it is seen or for a while. */
function whileHidden(signal: AbortSignal, pass: (tags: typeof allTags) => void) {
  let waiting: typeof allTags = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const tags = waiting;
    waiting = [];
    if (tags.length > 0) pass(tags);
  };
  const seen = () => document.visibilityState === 'visible' && flush();
  document.addEventListener('visibilitychange', seen);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  });
  return (tags: typeof allTags) => {
    waiting.push(...tags);
    if (document.visibilityState === 'visible') flush();
    else timer ??= setTimeout(flush, HIDDEN_MS);
  };
}
