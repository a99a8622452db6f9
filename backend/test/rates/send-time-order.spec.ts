import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, GROUP, World } from './account-rate-world.js';

const PER_SECOND = 20;

const LARGE = { userId: 'a', isSmall: false };

/** An account holder with backlogs at fifty mailbox providers. */
function withFiftyBacklogs(world: World): void {
  for (let i = 0; i < 50; i++) void world.send(`a ${i}`, 10_000, LARGE);
}

describe.each([
  { limit: "an account's rate", sendRate: 0, accountRate: PER_SECOND },
  { limit: 'SEND_RATE', sendRate: PER_SECOND },
  { limit: 'both', sendRate: PER_SECOND, accountRate: PER_SECOND },
  { limit: "a SEND_RATE far below the account's rate", sendRate: PER_SECOND, accountRate: 10 * PER_SECOND },
  { limit: "an account's rate far below SEND_RATE", sendRate: 10 * PER_SECOND, accountRate: PER_SECOND },
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
    // Small sends still leave first.
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

describe('an account with a rate of its own behind a SEND_RATE that is busy', () => {
  it('gets no more than its rate and one batch in any second, also when SEND_RATE is free again', async () => {
    const world = World.of({ sendRate: 5 * PER_SECOND, accountRate: PER_SECOND });
    withFiftyBacklogs(world);
    // Each of these sends gets a small part of SEND_RATE, so that for half a minute the account stays below its own
    // rate.
    for (let i = 0; i < 50; i++) void world.send(`other ${i}`, 60, { userId: `o ${i}`, isSmall: false }, 'another');
    await world.run(60);
    const times = [...world.left].flatMap(([name, of]) => (name.startsWith('a ') ? of : [])).sort((a, b) => a - b);
    const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1).length));
    expect(world.count('other', 0, 60)).toBe(50 * 60);
    expect(world.count('a ', 0, 20) / 20).toBeLessThan(PER_SECOND / 2);
    expect(most).toBeLessThanOrEqual(PER_SECOND + GROUP);
    expect(world.count('a ', 40, 60) / 20 / PER_SECOND).toBeGreaterThan(0.98);
  });
});
