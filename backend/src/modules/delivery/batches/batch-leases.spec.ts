import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Stopwatch } from '../../../shared/clock/stopwatch.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import { BatchLeases } from './batch-leases.service.js';
import type { DeliveryClaims } from './delivery-claims.service.js';
import { Batch, InFlightMessage } from './in-flight-message.js';

describe('the lease of a message in flight', () => {
  let answer: Promise<void>;
  beforeEach(() => {
    jest.useFakeTimers();
    answer = Promise.resolve();
  });
  afterEach(() => void jest.useRealTimers());

  function inFlight(): InFlightMessage {
    const leases = new BatchLeases({ renew: () => answer } as unknown as DeliveryClaims, new DeliveryTuning());
    const batch = new Batch({ sinceMarked: new Stopwatch(), tokens: [] } as never, {} as never);
    const message = new InFlightMessage({ id: 'm1', attempt: 1 } as never, batch);
    batch.messages.push(message);
    leases.hold(batch);
    return message;
  }

  it('lasts while it is renewed', async () => {
    const message = inFlight();
    await jest.advanceTimersByTimeAsync(600_000);
    expect(message.isLost).toBe(false);
  });

  it('ends when its renewals fail', async () => {
    const message = inFlight();
    answer = Promise.reject(new Error('the database is away'));
    answer.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(59_000);
    expect(message.isLost).toBe(false);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(message.isLost).toBe(true);
  });

  it('ends while the machine is suspended, although its monotonic clock stands still', () => {
    const message = inFlight();
    const monotonic = performance.now();
    jest.setSystemTime(Date.now() + 61_000);
    expect(performance.now()).toBe(monotonic);
    expect(message.isLost).toBe(true);
  });

  it('stays ended where a renewal was confirmed too late, because another worker may have the message', async () => {
    const message = inFlight();
    let confirm!: () => void;
    answer = new Promise((done) => (confirm = done));
    await jest.advanceTimersByTimeAsync(61_000);
    confirm();
    answer = Promise.resolve();
    await jest.advanceTimersByTimeAsync(120_000);
    expect(message.isLost).toBe(true);
  });
});
