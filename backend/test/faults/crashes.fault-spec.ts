import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../cluster/kit/processes.js';
import { clean, judge } from './kit/oracle.js';
import { faults, IN_HANDS, many } from './kit/suite.js';

faults('processes that die', (fault) => {
  it('F1 [short]: the only worker is killed at five random moments', async () => {
    const { world, after } = fault;
    await world.start();
    world.sink.modes = { delayMs: 10 };
    await world.send(await world.account(), many('ok', 1000));
    for (let kill = 0; kill < 5; kill++) {
      const before = world.sink.messages;
      await until('mail goes out', () => world.sink.messages > before || world.arrived('ok') >= 1000);
      await after(0, 400);
      await (await world.replace(world.workers[0]!)).ready();
    }
    world.sink.modes = {};
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(5 * IN_HANDS);
    expect(world.arrived('ok') - verdict.extraCopies).toBe(1000);
    const { rows: maybeTwice } = await world.db.query(`select 1 from email_delivery_logs where ambiguous > 0`);
    expect(maybeTwice.length).toBeLessThanOrEqual(5 * IN_HANDS);
  });

  it('F2: the sink has the message, the worker is killed before it reads the answer', async () => {
    const { world } = fault;
    await world.start();
    const account = await world.account();
    for (let round = 0; round < 5; round++) {
      const address = `hang-f2r${round}@x.test`;
      world.sink.hanging = true;
      await world.send(account, [address]);
      await until('it is stored', () => world.copiesOf(address) === 1);
      world.sink.hanging = false;
      await (await world.replace(world.workers[0]!)).ready();
    }
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(5);
    const { rows } = await world.db.query(`select count(*)::int as n from email_delivery_logs where ambiguous > 0`);
    expect(rows[0].n).toBe(5);
  });

  it('F3: three kills on one delivery before the sink has it', async () => {
    const { world, after } = fault;
    await world.start();
    world.sink.modes = { mute: true };
    await world.send(await world.account(), ['ok-f3@x.test']);
    for (let kill = 0; kill < 3; kill++) {
      await after(200, 900);
      await (await world.replace(world.workers[0]!)).ready();
    }
    world.sink.modes = {};
    await (await world.replace(world.workers[0]!)).ready();
    await world.settled();
    expect(await judge(world)).toMatchObject(clean);
    expect(world.copiesOf('ok-f3@x.test')).toBeGreaterThan(0);
  });

  it('F4: a worker sleeps through its leases, another takes over, the first wakes', async () => {
    const { world, after } = fault;
    await world.start({ workers: 2 });
    world.sink.modes = { delayMs: 20 };
    await world.send(await world.account(), many('ok', 600));
    await until('mail goes out', () => world.arrived('ok') > 20);
    await after(0, 300);
    world.workers[0]!.signal('SIGSTOP');
    await pause(6000);
    world.workers[0]!.signal('SIGCONT');
    world.sink.modes = {};
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(IN_HANDS);
  });

  it('F5: the web process is killed between commit and enqueue', async () => {
    const { world } = fault;
    await world.start();
    const account = await world.account();
    const list = await world.list(account, many('ok', 50));
    world.redis.signal('SIGSTOP');
    const answer = world.post('/api/send-email', world.mail(list), { account }).catch(() => undefined);
    await until('the send is committed', async () => (await world.db.query('select 1 from email_history')).rowCount === 1);
    await world.replace(world.webs[0]!);
    await answer;
    world.redis.signal('SIGCONT');
    const { rows } = await world.db.query<{ id: string }>('select id from email_history');
    world.acknowledged.push({ id: rows[0]!.id, account, addresses: many('ok', 50) });
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it('F6: the web process is killed in the middle of accepting: all or nothing', async () => {
    const { world, after } = fault;
    await world.start();
    const account = await world.account();
    for (let round = 0; round < 6; round++) {
      const addresses = many(`ok${round}`, 300);
      const list = await world.list(account, addresses);
      const answer = world.post('/api/send-email', world.mail(list), { account }).then(({ status }) => status, () => 0);
      await after(0, 60);
      await (await world.replace(world.webs[0]!)).ready();
      await answer;
      const { rows } = await world.db.query<{ id: string; n: number }>(
        `select h.id, (select count(*)::int from email_delivery_logs d where d.history_id = h.id) as n from email_history h where h.email_list_id = $1`, [list]);
      if (rows.length > 0) {
        expect(rows).toEqual([{ id: rows[0]!.id, n: 300 }]);
        world.acknowledged.push({ id: rows[0]!.id, account, addresses });
      } else expect(await answer).not.toBe(202);
    }
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });
});
