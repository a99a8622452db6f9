import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryTuning } from '../../src/modules/delivery/delivery-tuning.js';
import { ProviderThrottles } from '../../src/modules/delivery/throttling/provider-throttles.service.js';
import { type LimiterState, NEVER_USED, type ProviderConfig } from '../../src/modules/mail-accounts/index.js';
import type { Verdict } from '../../src/shared/mail/smtp/smtp-verdict.js';

const REFUSED: Verdict = {
  kind: 'permanent',
  class: 'policy',
  reason: 'The mail server refused the message',
  code: '550 5.7.1',
  response: '550 5.7.1 this link is on our list',
};
const GMAIL = { domain: 'gmail.com', provider: 'google' };

/**
 * Throttles with a limiter in memory. `paused` lists the names that were paused, in order; `reserved` the names for
 * which send times were requested.
 * @param storedPause stores a pause and returns when the pause ends
 */
function throttlesOf(
  config: ProviderConfig = {},
  storedPause: (name: string) => Promise<number> = () => Promise.resolve(Infinity),
): { throttles: ProviderThrottles; paused: string[]; reserved: string[] } {
  const paused: string[] = [];
  const reserved: string[] = [];
  const states = new Map<string, LimiterState>();
  const throttles = new ProviderThrottles(
    new DeliveryTuning(),
    {
      active: () => Promise.resolve(new Map(states)),
      reserve: (_account: string, wanted: { provider: string; wanted: number }[]) =>
        Promise.resolve(
          new Map(
            wanted.map(({ provider, wanted: count }) => {
              reserved.push(provider);
              const granted = paused.includes(provider) ? 0 : count;
              return [provider, { granted, startsInMs: 0, intervalMs: 0, retryInMs: 1_000 }];
            }),
          ),
        ),
      pause: async (_account: string, name: string) => {
        const pausedUntil = await storedPause(name);
        if (!paused.includes(name)) paused.push(name);
        const state = { ...NEVER_USED, pausedUntil, learned: { base: 1, ceiling: null, goodSeconds: 0 } };
        states.set(name, state);
        return state;
      },
    } as never,
    { inUse: () => Promise.resolve({ id: 'account', config }) } as never,
    { providerOf: (domain: string) => (domain === 'gmail.com' ? 'google' : domain) } as never,
    { use: () => undefined, accepted: () => undefined, refused: () => undefined, measured: () => 0 } as never,
    { embedded: new Set() } as never,
  );
  return { throttles, paused, reserved };
}

const messages = (count: number, domain = 'gmail.com') =>
  Array.from({ length: count }, () => ({ domain, provider: '' }));

async function refuse(throttles: ProviderThrottles, times: number, userId: string, sendId = `send of ${userId}`) {
  for (let i = 0; i < times; i++) await throttles.refused(GMAIL, { userId, sendId }, REFUSED, 10);
}

describe('a provider whose connections are all busy', () => {
  const direct: ProviderConfig = { kind: 'direct' };
  const ahead = { lookaheadMs: 500 };

  it('is reported as free as soon as one of its messages is answered', async () => {
    const { throttles } = throttlesOf(direct);
    const roomAt: string[] = [];
    throttles.onRoom((provider) => roomAt.push(provider));
    const { granted } = await throttles.reserveFor('google', 100, ahead);
    expect(granted).toBeGreaterThan(0);
    const entered = Array.from({ length: granted }, () => throttles.enter('google'));
    expect((await throttles.reserveFor('google', 100, ahead)).granted).toBe(0);
    expect(roomAt).toEqual([]);
    throttles.leave('google', entered[0]!);
    expect(roomAt).toEqual(['google']);
    expect((await throttles.reserveFor('google', 100, ahead)).granted).toBeGreaterThan(0);
  });

  it('is not reported as free where nothing waits for it', async () => {
    const { throttles } = throttlesOf(direct);
    const roomAt: string[] = [];
    throttles.onRoom((provider) => roomAt.push(provider));
    await throttles.reserveFor('google', 1, ahead);
    throttles.leave('google', throttles.enter('google'));
    expect(roomAt).toEqual([]);
  });
});

describe('policy refusals', () => {
  it("of one account holder's send hold back that send at the domain, and nobody else's mail", async () => {
    const { throttles, paused } = throttlesOf();
    const since = performance.now();
    await refuse(throttles, 50, 'a');
    expect(paused).toHaveLength(1);
    expect(throttles.isCutSince(GMAIL, since, 'send of a')).toBe(true);
    expect(throttles.isCutSince(GMAIL, since, 'send of b')).toBe(false);
    const [own, others, elsewhere] = [
      await throttles.admit(messages(3), 'send of a'),
      await throttles.admit(messages(3), 'send of b'),
      await throttles.admit(messages(3, 'x.test'), 'send of a'),
    ];
    expect([own.now.length, others.now.length, elsewhere.now.length]).toEqual([0, 3, 3]);
    // The send's mail waits separately from other mail to its provider.
    expect(own.later[0]!.provider).not.toBe('google');
    expect(others.now[0]!.provider).toBe('google');
  });

  it('of several sends of one account holder do not pause the domain either', async () => {
    const { throttles, paused } = throttlesOf();
    for (const send of ['one', 'two', 'three']) await refuse(throttles, 4, 'a', send);
    expect(paused).toEqual([]);
    expect((await throttles.admit(messages(3), 'send of b')).now).toHaveLength(3);
  });

  it('of two account holders in a row pause the domain for all', async () => {
    const { throttles, paused } = throttlesOf();
    await refuse(throttles, 3, 'a');
    expect(paused).toEqual([]);
    await refuse(throttles, 2, 'b');
    expect(paused).toEqual(['gmail.com']);
    expect((await throttles.admit(messages(3), 'send of c')).now).toEqual([]);
  });

  it('of two account holders do not pause a domain that accepts mail of a third between them', async () => {
    const { throttles, paused } = throttlesOf();
    await refuse(throttles, 3, 'a');
    throttles.accepted(GMAIL, { userId: 'c', sendId: 'send of c' });
    await refuse(throttles, 4, 'b');
    expect(paused).toEqual([]);
  });

  it("are counted anew after the domain accepted one of the send's messages, or judged a recipient", async () => {
    const { throttles, paused } = throttlesOf();
    const sender = { userId: 'a', sendId: 'send of a' };
    await refuse(throttles, 4, 'a');
    throttles.accepted(GMAIL, sender);
    await refuse(throttles, 4, 'a');
    await throttles.refused(GMAIL, sender, { ...REFUSED, class: 'hard-address' }, 10);
    await refuse(throttles, 4, 'a');
    expect(paused).toEqual([]);
    throttles.accepted(GMAIL, { userId: 'b', sendId: 'send of b' });
    await refuse(throttles, 1, 'a');
    expect(paused).toHaveLength(1);
  });
});

describe('the mail of a send that is held at a domain', () => {
  const SEND = 'send of a';
  const OVER = 1;
  afterEach(() => void jest.restoreAllMocks());

  it('is limited like all mail to its provider once the pause is over: it has no rate and no connections of its own', async () => {
    const { throttles, paused, reserved } = throttlesOf({ domainMessagesPerSecond: 2 }, () => Promise.resolve(OVER));
    await throttles.admit([]);
    await refuse(throttles, 5, 'a');
    expect(paused).toEqual([`gmail.com/${SEND}`]);
    expect((await throttles.admit(messages(1), SEND)).now[0]!.provider).toBe('google');
    // Mail that waits under the name of the hold is also sent at its provider's rate.
    expect(throttles.providerOf(`gmail.com/${SEND}`)).toBe('google');
    expect(reserved).toEqual(['google']);
  });

  it('is held with the domain where the domain is paused for everybody for longer', async () => {
    const { throttles, paused } = throttlesOf({}, (name) =>
      Promise.resolve(name === 'gmail.com' ? Infinity : Number.MAX_SAFE_INTEGER),
    );
    await throttles.admit([]);
    await refuse(throttles, 5, 'a');
    expect(throttles.providerOf('gmail.com', SEND)).toBe(`gmail.com/${SEND}`);
    await refuse(throttles, 2, 'b');
    expect(paused).toEqual([`gmail.com/${SEND}`, 'gmail.com']);
    expect(throttles.providerOf('gmail.com', SEND)).toBe('gmail.com');
    expect(throttles.providerOf(`gmail.com/${SEND}`)).toBe('gmail.com');
  });

  it.each([
    { database: 'has not answered', pause: () => new Promise<number>(() => undefined) },
    { database: 'does not answer', pause: () => Promise.reject(new Error('the database does not answer')) },
  ])('is held at once and stays held where the database $database', async ({ pause }) => {
    const { throttles } = throttlesOf({}, pause);
    await throttles.admit([]);
    const since = performance.now();
    for (let i = 0; i < 5; i++) void throttles.refused(GMAIL, { userId: 'a', sendId: SEND }, REFUSED, 10);
    expect(throttles.cutCount).toBe(1);
    expect(throttles.isCutSince(GMAIL, since, SEND)).toBe(true);
    expect(throttles.isCutSince(GMAIL, since, 'send of b')).toBe(false);
    const later = performance.now() + 60_000;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    const [own, others] = [await throttles.admit(messages(3), SEND), await throttles.admit(messages(3), 'send of b')];
    expect([own.now.length, others.now.length]).toEqual([0, 3]);
    expect(throttles.isCutSince(GMAIL, since, SEND)).toBe(true);
    const waiting = await throttles.reserveFor(`gmail.com/${SEND}`, 3, { lookaheadMs: 500 });
    expect(waiting.granted).toBe(0);
    expect(waiting.retryInMs).toBeGreaterThan(0);
  });
});
