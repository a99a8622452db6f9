import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { answer, fakeApi, page, refusal } from '../../../test/fake-api';
import { list } from '../../../test/fixtures/live-fixtures';
import { makeStore } from '../../app/store-provider';
import { client } from '../client';
import { markStale } from './stale-answers';

const { listEmailLists } = client.endpoints;
const past = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const LISTS = [{ type: 'Lists' as const }];

let count: number;
let failures: (Response | 'no answer')[];
let calls: unknown[];
beforeEach(() => {
  jest.useFakeTimers();
  count = 1;
  failures = [];
  calls = fakeApi({
    'GET /api/email-lists': () => {
      const failure = failures.shift();
      if (failure === 'no answer') throw new TypeError('Failed to fetch');
      return failure ?? page([{ ...list, contactCount: count }]);
    },
  });
});
afterEach(() => void jest.useRealTimers());

async function shown() {
  const store = makeStore();
  const screen = store.dispatch(listEmailLists.initiate({}));
  await past(100);
  const cached = () => listEmailLists.select({})(store.getState() as never);
  return { store, leave: () => screen.unsubscribe(), cached, contacts: () => cached().data?.rows[0]?.contactCount };
}

describe('a failed refetch after a change', () => {
  it.each([
    ['502', answer({}, 502)],
    ['503', refusal(503, 'busy', 'Later')],
    ['429', refusal(429, 'too_many', 'Later')],
    ['no answer', 'no answer' as const],
  ])('is repeated while a screen shows the data: %s', async (_name, failure) => {
    const { store, contacts } = await shown();
    failures = [failure];
    count = 2;
    store.dispatch(markStale(LISTS));
    await past(100);
    expect(contacts()).toBe(1);
    await past(10_000);
    expect(contacts()).toBe(2);
    expect(calls).toHaveLength(3);
    await past(600_000);
    expect(calls).toHaveLength(3);
  });

  it('is repeated less and less often while the server is away', async () => {
    const { store, contacts } = await shown();
    failures = Array.from({ length: 12 }, () => answer({}, 503));
    count = 2;
    store.dispatch(markStale(LISTS));
    await past(60_000);
    expect(calls.length).toBeGreaterThan(4);
    expect(calls.length).toBeLessThan(9);
    await past(900_000);
    expect(contacts()).toBe(2);
    expect(calls).toHaveLength(14);
  });

  it('waits as long as the server says', async () => {
    const { store } = await shown();
    failures = [answer({}, 429, { 'retry-after': '30' })];
    store.dispatch(markStale(LISTS));
    await past(29_000);
    expect(calls).toHaveLength(2);
    await past(10_000);
    expect(calls).toHaveLength(3);
  });

  it('leaves no outdated answer for the next screen when nothing shows the data any more', async () => {
    const { store, leave, cached } = await shown();
    failures = [answer({}, 503)];
    store.dispatch(markStale(LISTS));
    await past(100);
    leave();
    await past(10_000);
    expect(cached().status).toBe('uninitialized');
    expect(calls).toHaveLength(2);
  });

  it('is not repeated where the answer would be the same, or where the user has already retried', async () => {
    const { store } = await shown();
    failures = [refusal(403, 'forbidden', 'No')];
    store.dispatch(markStale(LISTS));
    await past(60_000);
    expect(calls).toHaveLength(2);
    failures = [answer({}, 503)];
    void store.dispatch(listEmailLists.initiate({}, { forceRefetch: true }));
    await past(60_000);
    expect(calls).toHaveLength(3);
  });

  it('is repeated even if an older request, whose answer was dropped, ends meanwhile', async () => {
    const { store, leave } = await shown();
    const real = globalThis.fetch;
    const held: ((answer: Response) => void)[] = [];
    globalThis.fetch = () => new Promise((resolve) => held.push(resolve));
    store.dispatch(markStale(LISTS));
    await past(100);
    // The screen is closed, and the next change drops the answer together with its call. Then the screen is opened
    // again.
    leave();
    store.dispatch(markStale(LISTS));
    void store.dispatch(listEmailLists.initiate({}));
    await past(100);
    expect(held).toHaveLength(2);
    count = 2;
    store.dispatch(markStale(LISTS));
    globalThis.fetch = real;
    held[0]!(page([list]));
    await past(100);
    held[1]!(page([{ ...list, contactCount: 1 }]));
    await past(10_000);
    expect(listEmailLists.select({})(store.getState() as never).data?.rows[0]?.contactCount).toBe(2);
  });

  it('is not repeated for the next user', async () => {
    const { store } = await shown();
    failures = [answer({}, 503)];
    store.dispatch(markStale(LISTS));
    await past(100);
    store.dispatch(client.util.resetApiState());
    await past(60_000);
    expect(calls).toHaveLength(2);
  });
});

describe('a request that is outdated by a change each time', () => {
  it('is repeated after a pause as long as the request took', async () => {
    const { store } = await shown();
    const answered: number[] = [];
    globalThis.fetch = async () => {
      // eslint-disable-next-line staffcast/no-bare-wait -- by fake timers: the server takes five seconds
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      answered.push(Date.now());
      return page([list]);
    };
    const changes = setInterval(() => store.dispatch(markStale(LISTS)), 2_000);
    await past(60_000);
    clearInterval(changes);
    const pauses = answered.slice(1).map((at, i) => at - answered[i]!);
    expect(pauses.length).toBeGreaterThan(3);
    expect(pauses.every((pause) => pause >= 10_000)).toBe(true);
  });

  it('is repeated soon even if the machine slept during the request', async () => {
    const { store, contacts } = await shown();
    const real = globalThis.fetch;
    let end = (_answer: Response) => {};
    globalThis.fetch = () => new Promise((resolve) => (end = resolve));
    store.dispatch(markStale(LISTS));
    await past(100);
    store.dispatch(markStale(LISTS));
    jest.setSystemTime(Date.now() + 3600_000);
    globalThis.fetch = real;
    count = 7;
    end(page([list]));
    await past(30_000);
    expect(contacts()).toBe(7);
  });
});
