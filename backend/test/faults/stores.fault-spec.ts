import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../kit/until.js';
import { clean, judge } from './kit/oracle.js';
import { faults, IN_HANDS, many } from './kit/suite.js';

/** Factor for the length of an outage: the first seed runs the full length, the others a shorter one. */
const SHORTER = 0.4;
/** With rate limits enabled, which count in Redis. */
const LIMITED = { RATE_LIMITS: 'on' };

faults('failing stores', (fault) => {
  const scaled = (ms: number): number => (fault.seed === 1 ? ms : ms * SHORTER);

  /** Statuses and response times of a web process. */
  const timed = async (
    answer: Promise<Response>,
  ): Promise<{ status: number; ms: number; retryAfter: string | null }> => {
    const since = Date.now();
    const { status, headers } = await answer;
    return { status, ms: Date.now() - since, retryAfter: headers.get('Retry-After') };
  };

  it('F7: PostgreSQL crashes and is unavailable for a while during a send', async () => {
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
    const gone = pause(scaled(20_000));
    for (const answer of await Promise.all([
      timed(world.get('/api/email-lists', account)),
      timed(world.post('/api/send-email', world.mail(list), { account })),
      timed(world.get('/api/health/ready', account)),
    ])) {
      expect(answer).toMatchObject({ status: 503, retryAfter: expect.any(String) });
      expect(answer.ms).toBeLessThan(5000);
    }
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
    expect(verdict.extraCopies).toBeLessThanOrEqual(IN_HANDS);
    expect(world.arrived('late')).toBe(0);
  });

  it('F8 F9 [short]: Redis is flushed, and killed and restarted empty', async () => {
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
      expect(await timed(world.get(path, account))).toMatchObject({ status: 200 });
    await after(500, 1500);
    await world.redis.up();
    world.sink.modes = {};
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it('F10: sends are accepted while Redis hangs or is full', async () => {
    const { world } = fault;
    await world.start({ env: LIMITED });
    const account = await world.account();
    world.sink.modes = { delayMs: 20 };
    await world.send(account, many('before', 500));
    await until('mail goes out', () => world.arrived('before') > 20);
    world.redis.signal('SIGSTOP');
    const hangs = pause(scaled(20_000));
    const bodies = [
      world.mail(await world.list(account, many('hung', 100))),
      world.mail(await world.list(account, many('full', 100))),
    ] as const;
    const ask = async (body: unknown, addresses: string[]): Promise<void> => {
      const since = Date.now();
      const answer = await world.post('/api/send-email', body, { account });
      world.figures.slowestPostMs = Math.max(world.figures.slowestPostMs ?? 0, Date.now() - since);
      expect(answer.status).toBe(202);
      world.acknowledged.push({ id: ((await answer.json()) as { id: string }).id, account, addresses });
      for (const path of ['/api/auth/user', '/api/email-history']) {
        const read = await timed(world.get(path, account));
        world.figures.slowestReadMs = Math.max(world.figures.slowestReadMs ?? 0, read.ms);
        expect(read.status).toBe(200);
      }
    };
    await ask(bodies[0], many('hung', 100));
    await hangs;
    world.redis.signal('SIGCONT');
    await world.redis.command((redis) => redis.config('SET', 'maxmemory', '1'));
    await ask(bodies[1], many('full', 100));
    await pause(scaled(5_000));
    await world.redis.command((redis) => redis.config('SET', 'maxmemory', '0'));
    world.sink.modes = {};
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
    expect(world.figures.slowestPostMs).toBeLessThan(3000);
    expect(world.figures.slowestReadMs).toBeLessThan(3000);
  });
});
