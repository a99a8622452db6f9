import { expect, it } from '@jest/globals';
import { until } from '../cluster/kit/processes.js';
import { clean, judge } from './kit/oracle.js';
import { faults, IN_HANDS, many } from './kit/suite.js';

faults('presses, restarts and changes in mid-send', (fault) => {
  it('F18 F19 [short]: twenty presses at once are one send; fifty different ones over two instances keep the limit', async () => {
    const { world, seed } = fault;
    await world.start({ webs: 2 });
    const account = await world.account(null);
    const addresses = many('ok', 20);
    const body = world.mail(await world.list(account, addresses));
    const same = await Promise.all(Array.from({ length: 20 }, (_, i) => world.post('/api/send-email', body, { account, web: world.webs[i % 2], key: `key-${seed}` })));
    const ids = new Set(await Promise.all(same.map(async (answer) => ((await answer.json()) as { id: string }).id)));
    expect([same.every(({ status }) => status === 202), ids.size]).toEqual([true, 1]);
    world.acknowledged.push({ id: [...ids][0]!, account, addresses });
    const other = await world.account(null);
    const list = await world.list(other, many('ok2', 10));
    const different = await Promise.all(Array.from({ length: 50 }, (_, i) => world.post('/api/send-email', world.mail(list), { account: other, web: world.webs[i % 2] })));
    const accepted = different.filter(({ status }) => status === 202);
    expect([accepted.length, different.filter(({ status }) => status === 429).length]).toEqual([1, 49]);
    world.acknowledged.push({ id: ((await accepted[0]!.json()) as { id: string }).id, account: other, addresses: many('ok2', 10) });
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it('F20: many workers and sweepers start at once', async () => {
    const { world } = fault;
    await world.start({ workers: 1 });
    await world.send(await world.account(), many('ok', 400));
    await Promise.all(Array.from({ length: 3 }, () => world.addWorker()));
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it('F23: rolling SIGTERM during a drain: nobody twice', async () => {
    const { world, after } = fault;
    await world.start({ workers: 2 });
    world.sink.modes = { delayMs: 20 };
    await world.send(await world.account(), many('ok', 800));
    for (let turn = 0; turn < 4; turn++) {
      await after(300, 900);
      const [oldest] = world.workers;
      expect(await oldest!.stop('SIGTERM')).toBe(0);
      await (await world.replace(oldest!)).ready();
    }
    world.sink.modes = {};
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it('F26: the database takes no more connections for a while', async () => {
    const { world } = fault;
    await world.start();
    world.sink.modes = { delayMs: 10 };
    const account = await world.account();
    await world.send(account, many('ok', 300));
    await until('mail goes out', () => world.arrived('ok') > 10);
    world.toDatabase.mute();
    const asked = Date.now();
    const answer = await world.get('/api/email-lists', account).catch(() => undefined);
    world.toDatabase.open();
    world.sink.modes = {};
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(IN_HANDS);
    expect([answer?.status, Date.now() - asked < 20_000]).toEqual([503, true]);
  });

  it('F27: list deleted and contacts suppressed in mid-drain get nothing more', async () => {
    const { world } = fault;
    await world.start();
    world.sink.modes = { delayMs: 50 };
    const account = await world.account();
    const id = await world.send(account, many('ok', 400));
    await until('mail goes out', () => world.arrived('ok') > 20);
    await world.db.query('delete from email_lists where owner_id = $1', [account.id]);
    const atMost = world.arrived('ok') + 2 * IN_HANDS + 250;
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
    expect(world.arrived('ok')).toBeLessThanOrEqual(atMost);
    expect(((await (await world.get(`/api/email-history/${id}`, account)).json()) as { counts: { skipped: number } }).counts.skipped).toBe(400 - world.arrived('ok'));
  });
});
