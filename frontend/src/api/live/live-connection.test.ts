import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeSource, fakeStream } from '../../../test/fake-stream';
import { LEADER_TIMEOUT_MS, followAccount, MAX_SILENCE_MS, MAX_JITTER_MS } from './live-connection';

/** The BroadcastChannel of all tabs of one browser. */
class FakeChannel {
  static all: FakeChannel[] = [];
  /** Tabs that neither receive nor send messages any more. */
  static deaf = new Set<FakeChannel>();
  onmessage: ((event: MessageEvent) => void) | null = null;

  constructor() {
    FakeChannel.all.push(this);
  }

  postMessage(data: unknown) {
    if (FakeChannel.deaf.has(this)) return;
    for (const other of FakeChannel.all)
      if (other !== this && !FakeChannel.deaf.has(other))
        queueMicrotask(() => other.onmessage?.({ data } as MessageEvent));
  }

  close() {
    FakeChannel.all = FakeChannel.all.filter((one) => one !== this);
  }
}

type Grant = () => Promise<void>;

function fakeLocks() {
  const queue: { grant: Grant; resolve: () => void; reject: (error: Error) => void }[] = [];
  let holder: { reject: (error: Error) => void } | undefined;
  const next = () => {
    const first = holder ? undefined : queue.shift();
    if (first) hold(first);
  };
  const hold = (entry: (typeof queue)[number]) => {
    holder = entry;
    void entry.grant().then(() => {
      if (holder !== entry) return;
      holder = undefined;
      entry.resolve();
      next();
    });
  };
  return {
    request: (_name: string, { signal, steal }: LockOptions, grant: Grant) =>
      new Promise<void>((resolve, reject) => {
        const entry = { grant, resolve, reject };
        if (steal) {
          holder?.reject(new Error('stolen'));
          return hold(entry);
        }
        signal?.addEventListener('abort', () => {
          if (queue.includes(entry)) queue.splice(queue.indexOf(entry), 1);
          if (holder !== entry) reject(new Error('aborted'));
        });
        queue.push(entry);
        queueMicrotask(next);
      }),
  };
}

const settle = () => jest.advanceTimersByTimeAsync(0);
const past = (ms: number) => jest.advanceTimersByTimeAsync(ms);

function openTab(shownSince = Date.now()) {
  const ending = new AbortController();
  const heard: string[] = [];
  followAccount('u1', shownSince, ending.signal, {
    changed: ({ kind, ids }) => void heard.push(`${kind} ${ids?.join() ?? ''}`.trim()),
    refresh: () => void heard.push('refresh'),
    live: () => undefined,
    lost: () => undefined,
  });
  return { heard, channel: FakeChannel.all.at(-1)!, close: () => ending.abort() };
}

const ageOf = ({ url }: FakeSource) => Number(new URL(url, 'http://own.invalid').searchParams.get('age'));
const change = (source: FakeSource, kind: string, ...ids: string[]) =>
  void source.dispatchEvent(
    new MessageEvent('change', { data: JSON.stringify({ kind, ...(ids.length > 0 && { ids }) }) }),
  );
const say = (source: FakeSource, name: string) => void source.dispatchEvent(new MessageEvent(name, { data: '{}' }));

let restore: () => void;
let tabs: { close: () => void }[];
const tab = (shownSince?: number) => {
  const opened = openTab(shownSince);
  tabs.push(opened);
  return opened;
};
beforeEach(() => {
  jest.useFakeTimers();
  restore = fakeStream();
  tabs = [];
  FakeChannel.all = [];
  FakeChannel.deaf.clear();
  Object.assign(globalThis, { BroadcastChannel: FakeChannel });
  Object.defineProperty(navigator, 'locks', { configurable: true, value: fakeLocks() });
});
afterEach(() => {
  for (const opened of tabs) opened.close();
  Reflect.deleteProperty(navigator, 'locks');
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  restore();
  jest.useRealTimers();
});

describe('the tabs of one browser', () => {
  it('have one stream; a tab that joins receives what changed between its first answers and its joining', async () => {
    const first = tab();
    await settle();
    await past(1000);
    const shownSince = Date.now();
    await past(100);
    change(FakeSource.current!, 'contacts', 'l1');
    await past(100);
    const second = tab(shownSince);
    await settle();
    expect(second.heard).toEqual(['contacts l1']);
    change(FakeSource.current!, 'send', 'h1');
    await settle();
    expect(first.heard).toEqual(['contacts l1', 'send h1']);
    expect(second.heard).toEqual(['contacts l1', 'send h1']);
    expect(FakeSource.opened).toHaveLength(1);
  });

  it('refresh a tab whose data is older than what the leader remembers', async () => {
    const shownSince = Date.now() - 60_000;
    tab();
    await settle();
    const second = tab(shownSince);
    await settle();
    expect(second.heard).toEqual(['refresh']);
  });

  it('replace a leader that has fallen silent, and request what was missed since its last message', async () => {
    tab();
    await settle();
    const second = tab();
    await settle();
    say(FakeSource.current!, 'heartbeat');
    await settle();
    const [stale] = FakeSource.opened;
    FakeChannel.deaf.add(FakeChannel.all[0]!);
    // This tab's own stream works; only the other tabs no longer get messages from it.
    const beating = setInterval(() => say(stale!, 'heartbeat'), 15_000);
    await past(MAX_SILENCE_MS + MAX_JITTER_MS + LEADER_TIMEOUT_MS);
    clearInterval(beating);
    expect(FakeSource.opened).toHaveLength(2);
    expect(stale!.closed).toBe(true);
    const age = ageOf(FakeSource.current!);
    expect(age).toBeGreaterThanOrEqual(MAX_SILENCE_MS);
    expect(age).toBeLessThanOrEqual(MAX_SILENCE_MS + MAX_JITTER_MS + LEADER_TIMEOUT_MS);
    change(FakeSource.current!, 'me');
    expect(second.heard).toEqual(['me']);
  });

  it('keep a leader that answers, even if it has had nothing to send for long', async () => {
    tab();
    await settle();
    tab();
    await settle();
    // During an outage, the leader waits for its next attempt.
    Object.assign(globalThis, {
      EventSource: class extends FakeSource {
        override dispatchEvent() {
          return true;
        }
      },
    });
    FakeSource.current!.dispatchEvent(new Event('error'));
    await past(2 * (MAX_SILENCE_MS + MAX_JITTER_MS + LEADER_TIMEOUT_MS));
    const held = FakeSource.opened.filter(({ closed }) => !closed);
    expect(held.length).toBeLessThanOrEqual(1);
    expect(FakeChannel.all).toHaveLength(2);
    const ages = FakeSource.opened.slice(1).map(ageOf);
    // Only the first tab tries to connect, so the requested age grows with every attempt.
    expect(ages).toEqual([...ages].sort((a, b) => a - b));
  });

  it('wake the stream of the leading tab: after a sleep another tab may be the visible one', async () => {
    tab();
    await settle();
    tab();
    await settle();
    const [stale] = FakeSource.opened;
    jest.setSystemTime(Date.now() + 3600_000);
    // Only the second tab becomes visible; the first one learns it by this message.
    FakeChannel.all[1]!.postMessage({ account: 'u1', type: 'wake' });
    await settle();
    expect(stale!.closed).toBe(true);
    await past(1000);
    expect(FakeSource.current).toBeDefined();
    expect(ageOf(FakeSource.current!)).toBeGreaterThanOrEqual(3600_000);
  });

  it.each(['visibilitychange', 'online'])('say so when they are looked at or online again: %s', async (event) => {
    tab();
    await settle();
    const { channel } = tab();
    await settle();
    const posted: unknown[] = [];
    channel.postMessage = (message: unknown) => void posted.push(message);
    (event === 'online' ? globalThis : document).dispatchEvent(new Event(event));
    expect(posted).toContainEqual({ account: 'u1', type: 'wake' });
  });

  it('refetch everything where the clock was set back', async () => {
    tab(Date.now() + 60_000);
    await settle();
    expect(ageOf(FakeSource.current!)).toBeGreaterThan(5 * 60_000);
    const { heard } = tab(Date.now() + 60_000);
    await settle();
    expect(heard).toEqual(['refresh']);
  });

  it('continue when the leading tab is closed', async () => {
    const first = tab();
    await settle();
    const second = tab();
    await settle();
    first.close();
    await settle();
    await settle();
    expect(FakeSource.opened).toHaveLength(2);
    change(FakeSource.current!, 'list', 'l1');
    expect(second.heard).toEqual(['list l1']);
  });
});
