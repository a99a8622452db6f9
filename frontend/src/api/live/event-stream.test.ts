import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { keepEventStream } from './event-stream';

let opened = 0;

/** A server that refuses every stream, as while it is started again. */
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

it('a stream that stays away is told of once, and tried less and less often', async () => {
  const ending = new AbortController();
  const lost = jest.fn();
  keepEventStream(['change'], ending.signal, {
    url: () => '/api/events',
    opened: () => undefined,
    event: () => undefined,
    lost,
  });
  // Pauses of at most 1, 2 and 4 s.
  await jest.advanceTimersByTimeAsync(7000);
  expect(opened).toBeGreaterThanOrEqual(4);
  await jest.advanceTimersByTimeAsync(3600_000);
  // From 30 s to a minute each: not one every 3 s.
  expect(opened).toBeLessThan(140);
  expect(lost).toHaveBeenCalledTimes(1);
  const before = opened;
  ending.abort();
  await jest.advanceTimersByTimeAsync(120_000);
  expect(opened).toBe(before);
});
