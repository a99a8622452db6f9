import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../kit/until.js';
import { clean, judge } from './kit/oracle.js';
import { faults, MAX_IN_FLIGHT, many } from './kit/suite.js';

/** Factor for the length of an outage. The first seed runs the full length, other seeds this share of it. */
const SHORTER = 0.4;
/** Enables rate limits, which are counted in Redis. */
const LIMITED = { RATE_LIMITS: 'on' };

faults('failing stores', (fault) => {
  const scaled = (ms: number): number => (fault.seed === 1 ? ms : ms * SHORTER);

  /** Adds the time of an answer to the figures of the run. */
  const timed = async (figure: string, answer: Promise<Response>): Promise<Response> => {
    const since = Date.now();
    const answered = await answer;
    const { figures } = fault.world;
    figures[figure] = Math.max(figures[figure] ?? 0, Date.now() - since);
    return answered;
  };

  it('a send completes after PostgreSQL crashes and is unavailable for a while', async () => {
    const { world, after } = fault;
    await world.start();
    world.sink.modes = { delayMs: 10 };
    const account = await world.account();
    await world.send(account, many('ok', 1500));
    const list = await world.list(account, many('late', 10));
    await until('mail goes out', () => world.arrived('ok') > 20);
    await after(0, 500);
    const before = world.sink.messages;
    world.toDatabase.refuse();
    await world.crashDatabase();
    // eslint-disable-next-line staffcast/no-bare-wait -- the length of the outage
    const gone = pause(scaled(20_000));
    // These answers come while the database is down, because it comes back only afterwards.
    for (const { status, headers } of await Promise.all([
      timed('slowestRefusalMs', world.get('/api/email-lists', account)),
      timed('slowestRefusalMs', world.post('/api/send-email', world.mail(list), { account })),
      timed('slowestRefusalMs', world.get('/api/health/ready', account)),
    ]))
      expect([status, headers.get('Retry-After')]).toEqual([503, expect.any(String)]);
    // eslint-disable-next-line staffcast/no-bare-wait -- messages in hands go out meanwhile, and none after them
    await pause(1000);
    const inHands = world.sink.messages;
    world.figures.sentWhileDown = inHands - before;
    await gone;
    expect(world.sink.messages - inHands).toBe(0);
    world.sink.modes = {};
    world.toDatabase.open();
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(MAX_IN_FLIGHT);
    expect(world.arrived('late')).toBe(0);
  });

  it('[short] a send completes after Redis is flushed, and after it is killed and restarts empty', async () => {
    const { world, after } = fault;
    await world.start({ env: LIMITED });
    const account = await world.account();
    world.sink.modes = { delayMs: 5 };
    await world.send(account, many('ok', 5000));
    await until('mail goes out', () => world.arrived('ok') > 20);
    await after(0, 300);
    await world.redis.command((redis) => redis.flushall());
    expect((await world.get('/api/auth/user', account)).status).toBe(200);
    await after(200, 1000);
    await world.redis.kill();
    for (const path of ['/api/auth/user', '/api/email-lists', '/api/email-history'])
      expect((await timed('slowestReadMs', world.get(path, account))).status).toBe(200);
    await after(500, 1500);
    await world.redis.up();
    world.sink.modes = {};
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it('sends are accepted while Redis hangs or is full', async () => {
    const { world } = fault;
    await world.start({ env: LIMITED });
    const account = await world.account();
    world.sink.modes = { delayMs: 20 };
    await world.send(account, many('before', 500));
    await until('mail goes out', () => world.arrived('before') > 20);
    world.redis.signal('SIGSTOP');
    // eslint-disable-next-line staffcast/no-bare-wait -- the length of the outage
    const hangs = pause(scaled(20_000));
    const bodies = [
      world.mail(await world.list(account, many('hung', 100))),
      world.mail(await world.list(account, many('full', 100))),
    ] as const;
    /**
     * Posts a send and reads two pages. The answers come while Redis is down, because it is repaired only afterwards.
     */
    const ask = async (body: unknown, addresses: string[]): Promise<void> => {
      const answer = await timed('slowestPostMs', world.post('/api/send-email', body, { account }));
      expect(answer.status).toBe(202);
      world.acknowledged.push({ id: ((await answer.json()) as { id: string }).id, account, addresses });
      for (const path of ['/api/auth/user', '/api/email-history']) {
        expect((await timed('slowestReadMs', world.get(path, account))).status).toBe(200);
      }
    };
    await ask(bodies[0], many('hung', 100));
    await hangs;
    world.redis.signal('SIGCONT');
    await world.redis.command((redis) => redis.config('SET', 'maxmemory', '1'));
    await ask(bodies[1], many('full', 100));
    // eslint-disable-next-line staffcast/no-bare-wait -- the length of the outage
    await pause(scaled(5_000));
    await world.redis.command((redis) => redis.config('SET', 'maxmemory', '0'));
    world.sink.modes = {};
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });
});
