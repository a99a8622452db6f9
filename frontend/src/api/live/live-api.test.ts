import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeApi, page, someone } from '../../../test/fake-api';
import { FakeSource, fakeStream } from '../../../test/fake-stream';
import { list } from '../../../test/fixtures/live-fixtures';
import { makeStore } from '../../app/store-provider';
import { client } from '../client';
import { followChanges } from './live-api';

const { getCurrentUser, listEmailLists, listMergeTags, listPlans } = client.endpoints;
const past = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const ageOf = (source: FakeSource | undefined) =>
  Number(new URL(source!.url, 'http://own.invalid').searchParams.get('age'));

let restore: () => void;
beforeEach(() => {
  jest.useFakeTimers();
  restore = fakeStream();
});
afterEach(() => {
  restore();
  jest.useRealTimers();
});

describe('the stream of account changes', () => {
  it('starts at the oldest answer that may be shown, even if the session was requested later', async () => {
    fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/email-lists': page([list]),
      'GET /api/billing/plans': [],
    });
    const store = makeStore();
    await Promise.all([store.dispatch(listPlans.initiate()), past(10)]);
    // Answers that no change can make stale do not count, however old they are.
    await past(600_000);
    await Promise.all([store.dispatch(listEmailLists.initiate({})), past(10)]);
    // Meanwhile this tab shows a public page, and another tab reports that the user has changed.
    await past(200_000);
    await Promise.all([store.dispatch(getCurrentUser.initiate(undefined, { forceRefetch: true })), past(10)]);
    const layout = store.dispatch(followChanges.initiate('u1'));
    await past(1000);
    expect(ageOf(FakeSource.current)).toBeGreaterThanOrEqual(200_000);
    expect(ageOf(FakeSource.current)).toBeLessThan(300_000);
    layout.unsubscribe();
  });

  /** Many browsers with the list on the screen, each with a stream of its own: there are no channels between them. */
  async function browsers(count: number, shown: { sendable?: boolean; limit?: number } = {}) {
    const calls = fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/email-lists': page([list]) });
    const stores = Array.from({ length: count }, () => makeStore());
    for (const store of stores) {
      void store.dispatch(getCurrentUser.initiate());
      void store.dispatch(listEmailLists.initiate(shown));
    }
    await past(100);
    for (const store of stores) void store.dispatch(followChanges.initiate('u1'));
    await past(5000);
    const asked = (path: string) => calls.filter((call) => call.path === path).length;
    return { sources: FakeSource.opened.filter(({ closed }) => !closed), asked };
  }

  it('causes a refresh of all browsers within five seconds, spread over time', async () => {
    Object.defineProperty(navigator, 'locks', { configurable: true, value: freeLocks });
    try {
      const { sources, asked } = await browsers(40);
      expect(sources).toHaveLength(40);
      const before = asked('/api/email-lists');
      for (const source of sources) source.dispatchEvent(new MessageEvent('refresh', { data: '{}' }));
      const perSecond: number[] = [];
      for (let second = 0; second < 5; second++) {
        const soFar = asked('/api/email-lists');
        await past(1000);
        perSecond.push(asked('/api/email-lists') - soFar);
      }
      expect(asked('/api/email-lists') - before).toBe(40);
      expect(Math.max(...perSecond)).toBeLessThan(30);
    } finally {
      Reflect.deleteProperty(navigator, 'locks');
    }
  });

  it('has the same refresh spread over half a minute where the page is hidden, and made at once where it is looked at', async () => {
    Object.defineProperty(navigator, 'locks', { configurable: true, value: freeLocks });
    const see = (state: string) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    try {
      const { sources, asked } = await browsers(40);
      see('hidden');
      const before = asked('/api/email-lists');
      for (const source of sources) source.dispatchEvent(new MessageEvent('refresh', { data: '{}' }));
      // A hidden page applies changes within ten seconds: without the random delay, all browsers would have refetched
      // by now.
      await past(16_000);
      expect(asked('/api/email-lists') - before).toBeLessThan(25);
      see('visible');
      await past(1000);
      expect(asked('/api/email-lists') - before).toBe(40);
    } finally {
      Reflect.deleteProperty(document, 'visibilityState');
      Reflect.deleteProperty(navigator, 'locks');
    }
  });

  it("causes a refetch of an admin's lists at most every five seconds while their counts change", async () => {
    const { sources, asked } = await browsers(1);
    const before = asked('/api/email-lists');
    const moved = () =>
      sources[0]!.dispatchEvent(
        new MessageEvent('change', { data: JSON.stringify({ kind: 'contacts', ids: ['l1'] }) }),
      );
    moved();
    await past(100);
    // The first change shows at once.
    expect(asked('/api/email-lists')).toBe(before + 1);
    for (let second = 0; second < 20; second++) {
      moved();
      await past(1000);
    }
    expect(asked('/api/email-lists') - before).toBeLessThanOrEqual(5);
    // The last change is not lost.
    const soFar = asked('/api/email-lists');
    moved();
    await past(6000);
    expect(asked('/api/email-lists')).toBeGreaterThan(soFar);
  });

  it('has the lists to choose from asked for where a list comes or goes, and not soon where counts move', async () => {
    const { sources, asked } = await browsers(1, { sendable: true, limit: 1000 });
    const changed = (kind: string) =>
      sources[0]!.dispatchEvent(new MessageEvent('change', { data: JSON.stringify({ kind, ids: ['l1'] }) }));
    const before = asked('/api/email-lists');
    for (let second = 0; second < 20; second++) {
      changed('contacts');
      await past(1000);
    }
    expect(asked('/api/email-lists')).toBe(before);
    changed('list');
    await past(6000);
    expect(asked('/api/email-lists')).toBe(before + 1);
  });

  it('has choices that stand on the screen asked for again once a minute while counts move, and all that do not when they are next shown', async () => {
    const calls = fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/email-lists': page([list]),
      'GET /api/merge-tags': [],
    });
    const asked = (path: string) => calls.filter((call) => call.path === path).length;
    const store = makeStore();
    void store.dispatch(getCurrentUser.initiate());
    void store.dispatch(listEmailLists.initiate({ sendable: true }));
    const chooseTags = () => store.dispatch(listMergeTags.initiate({ emailListIds: ['l1'] }));
    const tags = chooseTags();
    await past(100);
    const layout = store.dispatch(followChanges.initiate('u1'));
    await past(1000);
    tags.unsubscribe();
    await past(1000);
    void chooseTags().unsubscribe();
    await past(100);
    const [lists, merge] = [asked('/api/email-lists'), asked('/api/merge-tags')];
    expect([lists, merge]).toEqual([1, 1]);
    // An import moves the counts every second for two minutes and a half.
    for (let second = 0; second < 150; second++) {
      FakeSource.current!.dispatchEvent(
        new MessageEvent('change', { data: JSON.stringify({ kind: 'contacts', ids: ['l1'] }) }),
      );
      if (second === 1) {
        void chooseTags().unsubscribe();
        await past(100);
        expect(asked('/api/merge-tags')).toBe(merge + 1);
      }
      await past(1000);
    }
    expect(asked('/api/email-lists')).toBe(lists + 2);
    await past(60_000);
    expect(asked('/api/email-lists')).toBe(lists + 3);
    await past(600_000);
    expect(asked('/api/email-lists')).toBe(lists + 3);
    expect(asked('/api/merge-tags')).toBe(merge + 1);
    layout.unsubscribe();
  });

  it("causes no refetch of an admin's accounts where only sends changed", async () => {
    const calls = fakeApi({
      'GET /api/auth/user': someone({ isAdmin: true }),
      'GET /api/admin/subscriptions': page([]),
      'GET /api/admin/sends': page([]),
    });
    const store = makeStore();
    void store.dispatch(getCurrentUser.initiate());
    void store.dispatch(client.endpoints.listSubscriptions.initiate({}));
    void store.dispatch(client.endpoints.listSends.initiate({}));
    await past(100);
    void store.dispatch(followChanges.initiate('u1'));
    await past(5000);
    const before = calls.length;
    const tell = (data: object) =>
      FakeSource.current!.dispatchEvent(new MessageEvent('change', { data: JSON.stringify(data) }));
    tell({ kind: 'admin', ids: ['send', 'usage'] });
    await past(1000);
    expect(calls.slice(before).map(({ path }) => path)).toEqual(['/api/admin/sends']);
    // An older server sends no ids for this kind.
    tell({ kind: 'admin' });
    await past(1000);
    expect(
      calls
        .slice(before + 1)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['/api/admin/sends', '/api/admin/subscriptions']);
  });

  it('requests the session when the next reconnection after an outage has ended, not during the outage', async () => {
    const { sources, asked } = await browsers(1);
    const before = asked('/api/auth/user');
    sources[0]!.dispatchEvent(new Event('error'));
    await past(400);
    expect(asked('/api/auth/user')).toBe(before);
    await past(1000);
    expect(asked('/api/auth/user')).toBe(before + 1);
  });
});

/** Locks of many browsers: each gets its own at once. */
const freeLocks = {
  request: (_name: string, _options: LockOptions, grant: () => Promise<void>) => grant(),
};
