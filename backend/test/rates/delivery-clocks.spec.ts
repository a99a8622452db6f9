import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryTuning } from '../../src/modules/delivery/delivery-tuning.js';
import { OutboundCircuitBreaker } from '../../src/modules/delivery/outbound-circuit-breaker.js';
import { ProviderThrottles } from '../../src/modules/delivery/throttling/provider-throttles.service.js';
import { NEVER_USED, reserve, type SlotRequest } from '../../src/modules/mail-accounts/index.js';
import { ProviderAccounts } from '../../src/modules/mail-accounts/provider-accounts.service.js';

const HOUR = 3_600_000;

describe('messages for which another mail account takes over', () => {
  it('are sent at its rate, and reserve send times half a second ahead at most, however many wait', async () => {
    let state = NEVER_USED;
    const ahead: number[] = [];
    const limiter = {
      reserve: (_account: string, [request]: SlotRequest[]) => {
        const found = reserve(state, request!, performance.now() + HOUR);
        state = found.state;
        if (found.reservation.granted > 0) ahead.push(found.reservation.startsInMs);
        return Promise.resolve(new Map([['*', found.reservation]]));
      },
    };
    const unused = {} as never;
    const accounts = new ProviderAccounts(unused, unused, unused, limiter as never, unused, unused);
    const account = { id: 'one', config: { messagesPerSecond: 400 } } as never;
    await Promise.all(Array.from({ length: 600 }, () => accounts.awaitRate(account)));
    expect(ahead).toHaveLength(600);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(500);
  });
});

describe('a worker whose wall clock is set back an hour', () => {
  /** Ms that have passed. As soon as time passes, the wall clock is an hour behind. */
  let passed: number;
  beforeEach(() => {
    passed = 0;
    const [wall, steady] = [Date.now(), performance.now()];
    jest.spyOn(Date, 'now').mockImplementation(() => wall + passed - (passed > 0 ? HOUR : 0));
    jest.spyOn(performance, 'now').mockImplementation(() => steady + passed);
  });
  afterEach(() => void jest.restoreAllMocks());

  it('reads the limits of its providers again after some seconds', async () => {
    let reads = 0;
    const throttles = new ProviderThrottles(
      new DeliveryTuning(),
      { active: () => Promise.resolve(new Map()) } as never,
      { inUse: () => Promise.resolve({ id: `account ${++reads}`, config: {} }) } as never,
      { providerOf: (domain: string) => domain } as never,
      { use: () => undefined } as never,
      { embedded: new Set() } as never,
    );
    const recipients = [{ domain: 'x.test', provider: '' }];
    await throttles.admit(recipients);
    await throttles.admit(recipients);
    expect(reads).toBe(1);
    passed = 3_000;
    await throttles.admit(recipients);
    expect(reads).toBe(2);
  });

  it('reads its mail accounts again after some seconds, and tries a failed one again', async () => {
    let reads = 0;
    const accounts = new (class extends ProviderAccounts {
      protected override async found() {
        reads++;
        return Promise.resolve([
          { id: 'one', name: 'one', apiKeyRef: 'SMTP_URL', config: null, heldForMs: reads === 1 ? 5_000 : 0 },
          { id: 'two', name: 'two', apiKeyRef: 'SMTP_URL', config: null, heldForMs: 0 },
        ]);
      }
    })(
      {} as never,
      { smtpUrl: 'smtp://127.0.0.1:25', mailDomain: 'localhost', embedded: new Set() } as never,
      {} as never,
      {} as never,
      {} as never,
      {} as never,
    );
    expect((await accounts.inUse()).id).toBe('two');
    passed = 6_000;
    expect((await accounts.inUse()).id).toBe('one');
    expect(reads).toBe(2);
  });

  it('sends again when its circuit breaker closes', () => {
    const breaker = new OutboundCircuitBreaker(new DeliveryTuning());
    breaker.hold('the mail server could not be reached');
    expect(breaker.heldForMs()).toBeGreaterThan(0);
    passed = 31_000;
    expect(breaker.heldForMs()).toBe(0);
  });
});
