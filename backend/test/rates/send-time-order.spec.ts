import { describe, expect, it } from '@jest/globals';
import { ConfiguredAccountRate } from '../../src/modules/delivery/throttling/configured-account-rate.service.js';
import {
  type LimiterState,
  NEVER_USED,
  reserve,
  type SlotRequest,
} from '../../src/modules/mail-accounts/rate-limits/rate-limit.js';
import { Clock, START } from './rate-simulation.js';

const ACCOUNT = 'account';
const PER_SECOND = 20;
const GROUP = 5;

/** One worker whose account has a rate, with a simulated clock. A reservation takes a few milliseconds. */
class World extends ConfiguredAccountRate {
  readonly clock: Clock;
  /** Times in seconds since the start at which messages left, by sender. */
  readonly left = new Map<string, number[]>();
  reservations = 0;
  isFailing = false;

  static of(settings: { sendRate: number; accountRate?: number }): World {
    const clock = new Clock();
    const states = new Map<string, LimiterState>();
    const world: World = new World(clock, settings.sendRate, settings.accountRate, {
      reserve: async (account: string, [request]: SlotRequest[]) => {
        world.reservations++;
        await new Promise<void>((go) => clock.at(clock.now + 3, go));
        if (world.isFailing) throw new Error('the database does not answer');
        const found = reserve(states.get(account) ?? NEVER_USED, request!, clock.now);
        states.set(account, found.state);
        return new Map([['*', found.reservation]]);
      },
    });
    return world;
  }

  private constructor(clock: Clock, sendRate: number, rate: number | undefined, limiter: object) {
    super({ sendRate } as never, limiter as never, { rateOf: () => rate, rateOfFirst: rate } as never);
    this.clock = clock;
  }

  protected override now(): number {
    return this.clock.now;
  }

  protected override sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end);
        resolve();
      };
      this.clock.at(this.clock.now + ms, end);
      signal.addEventListener('abort', end);
    });
  }

  /** Sends batch after batch, as a range or a backlog does: the next is asked for when one leaves. */
  async send(name: string, messages: number, asker: { userId: string; isSmall: boolean }): Promise<void> {
    for (let sent = 0; sent < messages; sent += GROUP) {
      const at = await this.take(ACCOUNT, Math.min(GROUP, messages - sent), asker);
      if (at === undefined) return;
      await this.until(at);
      this.left.set(name, [
        ...(this.left.get(name) ?? []),
        ...Array.from({ length: GROUP }, () => (this.clock.now - START) / 1000),
      ]);
    }
  }

  /** Lets time pass; promises settle between two steps of the clock. */
  async run(untilSeconds: number): Promise<void> {
    const end = START + untilSeconds * 1000;
    while (this.clock.now < end) {
      this.clock.runUntil(Math.min(end, this.clock.now + 5));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Messages of these senders that left within some seconds. */
  count(prefix: string, from: number, to: number): number {
    return [...this.left]
      .filter(([name]) => name.startsWith(prefix))
      .flatMap(([, times]) => times)
      .filter((at) => at >= from && at < to).length;
  }
}

const LARGE = { userId: 'a', isSmall: false };

/** An account holder with backlogs at fifty mailbox providers. */
function withFiftyBacklogs(world: World): void {
  for (let i = 0; i < 50; i++) void world.send(`a ${i}`, 10_000, LARGE);
}

describe.each([
  { limit: "an account's rate", sendRate: 0, accountRate: PER_SECOND },
  { limit: 'SEND_RATE', sendRate: PER_SECOND },
  { limit: 'both', sendRate: PER_SECOND, accountRate: PER_SECOND },
])('the messages a second of $limit', (settings) => {
  it('go to a small send at once, although fifty backlogs of another account holder wait', async () => {
    const world = World.of(settings);
    withFiftyBacklogs(world);
    await world.run(20);
    void world.send('b', 100, { userId: 'b', isSmall: true });
    await world.run(40);
    const times = world.left.get('b') ?? [];
    expect(times).toHaveLength(100);
    expect(times[0]! - 20).toBeLessThan(0.7);
    expect(times.at(-1)! - 20).toBeLessThan(15);
  });

  it('are shared evenly between account holders, whatever the number of their batches', async () => {
    const world = World.of(settings);
    withFiftyBacklogs(world);
    await world.run(20);
    for (let i = 0; i < 3; i++) void world.send(`b ${i}`, 10_000, { userId: 'b', isSmall: false });
    await world.run(80);
    const [ofA, ofB] = [world.count('a', 22, 80), world.count('b', 22, 80)];
    expect(ofB / (ofA + ofB)).toBeGreaterThan(0.45);
    expect(ofB / (ofA + ofB)).toBeLessThan(0.55);
  });

  it('are all used, and never exceeded', async () => {
    const world = World.of(settings);
    withFiftyBacklogs(world);
    await world.run(100);
    expect(world.count('a', 0, 100) / 100 / PER_SECOND).toBeGreaterThan(0.98);
    expect(world.count('a', 0, 100) / 100 / PER_SECOND).toBeLessThan(1.02);
  });

  it('are not held for long by many small sends of one account holder', async () => {
    const world = World.of(settings);
    for (let i = 0; i < 50; i++) void world.send(`a ${i}`, 10_000, { userId: 'a', isSmall: true });
    void world.send('b', 10_000, { userId: 'b', isSmall: false });
    await world.run(200);
    expect(world.count('b', 120, 200) / (80 * PER_SECOND)).toBeGreaterThan(0.4);
  });
});

describe('a large send', () => {
  it('gets a quarter of the messages a second, and its first at once, while small sends of twenty others always wait', async () => {
    const world = World.of({ sendRate: 0, accountRate: PER_SECOND });
    for (let i = 0; i < 20; i++) void world.send(`small ${i}`, 10_000, { userId: `small ${i}`, isSmall: true });
    void world.send('large', 10_000, LARGE);
    await world.run(60);
    expect(world.left.get('large')?.[0]).toBeLessThan(2);
    expect(world.count('large', 0, 60) / world.count('', 0, 60)).toBeGreaterThan(0.24);
    // Small sends still come first.
    expect(world.count('small', 0, 60) / world.count('', 0, 60)).toBeGreaterThan(0.7);
  });
});

describe('batches that wait for the rate of their account', () => {
  it('make few reservations a second together', async () => {
    const world = World.of({ sendRate: 0, accountRate: PER_SECOND });
    withFiftyBacklogs(world);
    await world.run(50);
    expect(world.reservations / 50).toBeLessThan(10);
  });

  it('are released by a shutdown at once, without a send time', async () => {
    const world = World.of({ sendRate: 0, accountRate: PER_SECOND });
    withFiftyBacklogs(world);
    const last = world.take(ACCOUNT, GROUP, LARGE);
    await world.run(0.1);
    world.beforeApplicationShutdown();
    await expect(last).resolves.toBeUndefined();
    await expect(world.take(ACCOUNT, GROUP, LARGE)).resolves.toBeUndefined();
    const sent = world.count('a', 0, Infinity);
    await world.run(10);
    expect(world.count('a', 0, Infinity) - sent).toBeLessThanOrEqual(2 * GROUP);
  });

  it('fail where the limiter does not answer, and later ones are served', async () => {
    const world = World.of({ sendRate: 0, accountRate: PER_SECOND });
    world.isFailing = true;
    const failed = expect(world.take(ACCOUNT, GROUP, LARGE)).rejects.toThrow('the database does not answer');
    await world.run(0.1);
    await failed;
    world.isFailing = false;
    void world.send('b', GROUP, LARGE);
    await world.run(1);
    expect(world.left.get('b')).toHaveLength(GROUP);
  });
});
