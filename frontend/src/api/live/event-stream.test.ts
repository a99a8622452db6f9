import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { openEventStream } from './event-stream';

let opened = 0;

/** A server that refuses every stream, as during a restart. */
class Refused extends EventTarget {
  constructor() {
    super();
    opened += 1;
    queueMicrotask(() => void this.dispatchEvent(new Event('error')));
  }
  close() {}
}

beforeEach(() => {
  jest.useFakeTimers();
  opened = 0;
  Object.assign(globalThis, { EventSource: Refused });
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'EventSource');
  jest.useRealTimers();
});

it('a stream that cannot be opened is reported once, and tried less and less often', async () => {
  const ending = new AbortController();
  const lost = jest.fn();
  openEventStream(['change'], ending.signal, {
    url: () => '/api/events',
    opened: () => undefined,
    event: () => undefined,
    lost,
    retried: () => undefined,
  });
  // The first three pauses are at most 1, 2 and 4 s.
  await jest.advanceTimersByTimeAsync(7000);
  expect(opened).toBeGreaterThanOrEqual(4);
  await jest.advanceTimersByTimeAsync(3600_000);
  // Later pauses last 30 to 60 s. They do not stay as short as the first ones.
  expect(opened).toBeLessThan(140);
  expect(lost).toHaveBeenCalledTimes(1);
  const before = opened;
  ending.abort();
  await jest.advanceTimersByTimeAsync(120_000);
  expect(opened).toBe(before);
});

/** A server that answers as each test says. */
class Answered extends EventTarget {
  static all: Answered[] = [];
  closed = false;
  constructor() {
    super();
    Answered.all.push(this);
  }
  say(name: string) {
    this.dispatchEvent(name === 'open' || name === 'error' ? new Event(name) : new MessageEvent(name, { data: '{}' }));
  }
  close() {
    this.closed = true;
  }
}

function answered() {
  Answered.all = [];
  Object.assign(globalThis, { EventSource: Answered });
  const ending = new AbortController();
  const told: string[] = [];
  const tell = (name: string) => () => void told.push(name);
  const { wake } = openEventStream(['heartbeat'], ending.signal, {
    url: () => '/api/events',
    opened: tell('opened'),
    event: tell('event'),
    lost: tell('lost'),
    retried: tell('retried'),
  });
  return { told, wake, last: () => Answered.all.at(-1)!, close: () => ending.abort() };
}

it.each(['open', 'error'])('the first try after an outage is told of once it has ended: %s', async (how) => {
  const { told, last, close } = answered();
  last().say('open');
  last().say('error');
  expect(told).toEqual(['opened', 'lost']);
  await jest.advanceTimersByTimeAsync(1000);
  expect(told).toEqual(['opened', 'lost']);
  last().say(how);
  expect(told).toEqual(['opened', 'lost', 'retried', ...(how === 'open' ? ['opened'] : [])]);
  close();
});

it('a stream whose events are buffered by a proxy does not count as open again', async () => {
  const { told, last, close } = answered();
  last().say('open');
  await jest.advanceTimersByTimeAsync(41_000);
  expect(told).toEqual(['opened', 'lost']);
  last().say('open');
  expect(told).toEqual(['opened', 'lost', 'retried']);
  last().say('heartbeat');
  expect(told).toEqual(['opened', 'lost', 'retried', 'opened', 'event']);
  close();
});

it.each([
  ['some minutes later', () => undefined],
  ['when it is looked at', (wake: () => void) => wake()],
])("is opened anew after a newer browser's stream has replaced it %s, not at once", async (_, act) => {
  const { told, wake, last, close } = answered();
  last().say('open');
  const first = last();
  last().say('replaced');
  expect(first.closed).toBe(true);
  expect(told).toEqual(['opened', 'lost']);
  await jest.advanceTimersByTimeAsync(4.9 * 60_000);
  expect(last()).toBe(first);
  act(wake);
  for (let seconds = 0; last() === first && seconds < 5.2 * 60; seconds += 10)
    await jest.advanceTimersByTimeAsync(10_000);
  const second = last();
  expect(second).not.toBe(first);
  // A stream that breaks without an event is reopened soon.
  second.say('open');
  second.say('error');
  await jest.advanceTimersByTimeAsync(1000);
  expect(last()).not.toBe(second);
  close();
});

it('a stream is reopened at once when another tab asks for it, even while its own page is hidden', async () => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
  try {
    const { wake, last, close } = answered();
    last().say('open');
    const first = last();
    wake();
    expect(first.closed).toBe(false);
    // The machine slept: no timer ran.
    jest.setSystemTime(Date.now() + 3600_000);
    wake();
    expect(first.closed).toBe(true);
    await jest.advanceTimersByTimeAsync(1000);
    expect(last()).not.toBe(first);
    close();
  } finally {
    Reflect.deleteProperty(document, 'visibilityState');
  }
});
