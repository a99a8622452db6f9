import { client } from '../client';
import { allTags, staleTags } from './changes';
import { removeUnusedAnswers, oldestAnswer } from './cached-answers';
import { followAccount } from './live-connection';
import { markStale } from './stale-answers';

/** A hidden page applies changes too, because the tab's title shows the progress of tasks, but at most this often. */
const HIDDEN_INTERVAL_MS = 10_000;
/**
 * After a restart of the server all clients refetch. The requests are spread over this time, those of hidden pages over
 * a longer one.
 */
const MAX_REFRESH_DELAY_MS = 5_000;
const MAX_HIDDEN_REFRESH_DELAY_MS = 30_000;
/**
 * Changes of all lists are applied at most this often: one answer holds up to a thousand lists, and during an import
 * their counts change every second.
 */
const LISTS_INTERVAL_MS = 5_000;
/**
 * Data that pickers show beside names is refetched at most this often. It must be current when a picker opens, but need
 * not change while the picker is open.
 */
const CHOICES_INTERVAL_MS = 60_000;

/**
 * The connection to the stream of changes, as a cache entry that lives while somebody signed in has the app open. What
 * the server reports as changed is refetched if a screen shows it, and dropped from the cache if not.
 */
const live = client.injectEndpoints({
  endpoints: (build) => ({
    followChanges: build.query<{ isLive: boolean }, string>({
      queryFn: () => ({ data: { isLive: true } }),
      keepUnusedDataFor: 0,
      async onCacheEntryAdded(account, { dispatch, getState, updateCachedData, cacheDataLoaded, cacheEntryRemoved }) {
        const ending = new AbortController();
        // No changes were received while a public page was shown, so the cache is as old as its oldest answer.
        const shownSince = oldestAnswer(getState()) ?? Date.now();
        const isLoaded = await cacheDataLoaded.then(
          () => true,
          () => false,
        );
        if (!isLoaded) return;
        const stale = throttleWhileHidden(
          ending.signal,
          throttleChoiceTags(
            ending.signal,
            () => removeUnusedAnswers(dispatch, CHOICE_TAGS),
            throttleListTags(ending.signal, (tags) => dispatch(markStale(tags))),
          ),
        );
        const spread = withJitter(ending.signal, () => stale(allTags));
        followAccount(account, shownSince, ending.signal, {
          changed: (change) => stale(staleTags(change)),
          refresh: (isCommon) => (isCommon ? spread() : stale(allTags)),
          live: (isLive) => {
            // If the session has ended, the cache entry no longer exists.
            const { data } = followChanges.select(account)(getState() as never);
            if (data) updateCachedData((state) => void (state.isLive = isLive));
          },
          lost: () => stale([{ type: 'Me' }]),
        });
        await cacheEntryRemoved;
        ending.abort();
      },
    }),
  }),
});

export const { followChanges } = live.endpoints;

/** Keeps the cache up to date while somebody is signed in. @returns whether changes are received at present */
export const useLiveChanges = (account: string): boolean => live.useFollowChangesQuery(account).data?.isLive ?? true;

/**
 * Returns a function that runs `refresh` once after a random delay. On a hidden page the delay is longer and ends when
 * the page becomes visible.
 */
function withJitter(signal: AbortSignal, refresh: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    clearTimeout(timer);
    timer = undefined;
    refresh();
  };
  const onVisibilityChange = () => void (timer && document.visibilityState === 'visible' && run());
  document.addEventListener('visibilitychange', onVisibilityChange);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibilityChange);
  });
  return () => {
    const within = document.visibilityState === 'visible' ? MAX_REFRESH_DELAY_MS : MAX_HIDDEN_REFRESH_DELAY_MS;
    timer ??= setTimeout(run, Math.random() * within);
  };
}

const CHOICE_TAGS: typeof allTags = [{ type: 'ListChoices' }];
const typeOf = (tag: (typeof allTags)[number]) => (typeof tag === 'object' ? tag.type : tag);

/**
 * Passes tags on at once, except the tags of pickers, which are passed on only every CHOICES_INTERVAL_MS. Picker data
 * that no screen shows is dropped at once, so that the next screen fetches it.
 */
function throttleChoiceTags(signal: AbortSignal, drop: () => void, pass: (tags: typeof allTags) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(timer));
  return (tags: typeof allTags) => {
    const others = tags.filter((tag) => typeOf(tag) !== 'ListChoices');
    if (others.length > 0) pass(others);
    if (others.length === tags.length) return;
    drop();
    timer ??= setTimeout(() => {
      timer = undefined;
      pass(CHOICE_TAGS);
    }, CHOICES_INTERVAL_MS);
  };
}

/** Tags that stand for all lists at once. Other tags name single items or change rarely. */
const THROTTLED_TAGS: readonly string[] = ['Lists', 'ListCounts'];

/**
 * Passes tags on at once, except THROTTLED_TAGS: they are passed on at most once per LISTS_INTERVAL_MS and collected in
 * between.
 */
function throttleListTags(signal: AbortSignal, pass: (tags: typeof allTags) => void) {
  let passedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: typeof allTags = [];
  const isThrottled = (tag: (typeof allTags)[number]) => THROTTLED_TAGS.includes(typeOf(tag) ?? '');
  const passLists = () => {
    timer = undefined;
    passedAt = performance.now();
    const tags = waiting;
    waiting = [];
    pass(tags);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  return (tags: typeof allTags) => {
    const others = tags.filter((tag) => !isThrottled(tag));
    if (others.length > 0) pass(others);
    if (others.length === tags.length) return;
    const isNew = (tag: (typeof allTags)[number]) =>
      !waiting.some((one) => JSON.stringify(one) === JSON.stringify(tag));
    waiting = [...waiting, ...tags.filter((tag) => isThrottled(tag) && isNew(tag))];
    if (timer) return;
    const wait = passedAt + LISTS_INTERVAL_MS - performance.now();
    if (wait <= 0) passLists();
    else timer = setTimeout(passLists, wait);
  };
}

/**
 * Passes tags on at once while the page is visible. While it is hidden, collects them until it is visible or
 * HIDDEN_INTERVAL_MS have passed.
 */
function throttleWhileHidden(signal: AbortSignal, pass: (tags: typeof allTags) => void) {
  let waiting: typeof allTags = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const tags = waiting;
    waiting = [];
    if (tags.length > 0) pass(tags);
  };
  const onVisibilityChange = () => document.visibilityState === 'visible' && flush();
  document.addEventListener('visibilitychange', onVisibilityChange);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibilityChange);
  });
  return (tags: typeof allTags) => {
    waiting.push(...tags);
    if (document.visibilityState === 'visible') flush();
    else timer ??= setTimeout(flush, HIDDEN_INTERVAL_MS);
  };
}
