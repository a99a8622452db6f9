import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChangeFeed } from './change-feed.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('changes of one account', () => {
  it('are sent at once where they are the first of their kind, even while an event of another kind waits', async () => {
    const told: string[] = [];
    const started = Date.now();
    const feed = new ChangeFeed(
      ({ kind }) => told.push(`${kind} ${Date.now() - started}`),
      (kind) => (kind === 'admin' ? 10_000 : 1_000),
    );
    feed.note('admin', null);
    await jest.advanceTimersByTimeAsync(100);
    feed.note('admin', null);
    feed.note('progress', 's1');
    await jest.advanceTimersByTimeAsync(200);
    feed.note('progress', 's1');
    feed.note('send', 's1');
    await jest.advanceTimersByTimeAsync(20_000);
    expect(told).toEqual(['admin 0', 'progress 100', 'send 300', 'progress 1100', 'admin 10000']);
    feed.end();
  });
});
