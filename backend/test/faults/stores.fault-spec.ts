import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../cluster/kit/processes.js';
import { clean, judge } from './kit/oracle.js';
import { faults, IN_HANDS, many } from './kit/suite.js';

faults('stores that fail', (fault) => {
  it('F7: PostgreSQL crashes, and is gone for a while, in mid-drain', async () => {
    const { world, after } = fault;
    await world.start();
    world.sink.modes = { delayMs: 10 };
    const account = await world.account();
    await world.send(account, many('ok', 800));
    await until('mail goes out', () => world.arrived('ok') > 20);
    await after(0, 500);
    world.toDatabase.refuse();
    const asked = Date.now();
    const answer = await world.get('/api/email-lists', account);
    expect([answer.status, Date.now() - asked < 10_000]).toEqual([503, true]);
    await pause(2000);
    const inHands = world.sink.messages;
    await pause(3000);
    expect(world.sink.messages - inHands).toBe(0);
    world.sink.modes = {};
    world.toDatabase.open();
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(IN_HANDS);
  });

  it('F8 F9 [short]: Redis is flushed, and killed and restarted empty', async () => {
    const { world, after } = fault;
    await world.start();
    world.sink.modes = { delayMs: 5 };
    const account = await world.account();
    await world.send(account, many('ok', 1500));
    await until('mail goes out', () => world.arrived('ok') > 20);
    await world.redis.command((redis) => redis.flushall());
    expect((await world.get('/api/auth/user', account)).status).toBe(200);
    await after(200, 1000);
    await world.redis.kill();
    expect((await world.get('/api/email-lists', account)).status).toBe(200);
    await after(500, 1500);
    await world.redis.up();
    world.sink.modes = {};
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it('F10: Redis hangs, or is full: sends are accepted all the same', async () => {
    const { world } = fault;
    await world.start();
    const account = await world.account();
    world.redis.signal('SIGSTOP');
    const asked = Date.now();
    await world.send(account, many('hung', 100));
    expect(Date.now() - asked).toBeLessThan(5000);
    world.redis.signal('SIGCONT');
    await world.redis.command((redis) => redis.config('SET', 'maxmemory', '1'));
    await world.send(account, many('full', 100));
    await world.redis.command((redis) => redis.config('SET', 'maxmemory', '0'));
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });
});
