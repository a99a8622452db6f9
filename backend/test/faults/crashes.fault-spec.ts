import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../kit/until.js';
import { clean, judge } from './kit/oracle.js';
import { faults, MAX_IN_FLIGHT, many } from './kit/suite.js';
import { AS_SHIPPED } from './kit/world-settings.js';

faults('killed processes', (fault) => {
  it('[short] the only worker is killed at five random moments: nobody is lost', async () => {
    const { world, after } = fault;
    await world.start();
    world.sink.modes = { delayMs: 10 };
    await world.send(await world.account(), many('ok', 1000));
    for (let kill = 0; kill < 5; kill++) {
      const before = world.sink.messages;
      await until('mail goes out', () => world.sink.messages > before || world.arrived('ok') >= 1000);
      await after(0, 250);
      await (await world.replace(world.workers[0]!)).ready();
    }
    world.sink.modes = {};
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(5 * MAX_IN_FLIGHT);
    expect(world.arrived('ok') - verdict.extraCopies).toBe(1000);
    const { rows: maybeTwice } = await world.db.query(`select 1 from email_delivery_logs where ambiguous > 0`);
    expect(maybeTwice.length).toBeLessThanOrEqual(5 * MAX_IN_FLIGHT);
  });

  it('the worker is killed after the server stored the message and before it reads the answer: twenty messages have at most one extra copy each and are flagged', async () => {
    const { world } = fault;
    await world.start();
    const account = await world.account();
    for (let round = 0; round < 4; round++) {
      const addresses = Array.from({ length: 5 }, (_, i) => `hang-f2r${round}@y${i}.test`);
      world.sink.hanging = true;
      await world.send(account, addresses);
      await until('they are stored', () => addresses.every((address) => world.copiesOf(address) === 1));
      world.sink.hanging = false;
      await (await world.replace(world.workers[0]!)).ready();
      // Waits for the end of the round, because the next kill would otherwise interrupt its retries too.
      await world.settled();
    }
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(20);
    for (const { id } of world.acknowledged) {
      const rows = (await (await world.get(`/api/email-history/${id}/deliveries?limit=10`, account)).json()) as {
        status: string;
        possibleDuplicate: boolean;
      }[];
      expect(rows.map(({ status, possibleDuplicate }) => [status, possibleDuplicate])).toEqual(
        Array(5).fill(['sent', true]),
      );
    }
  });

  it('three kills during one delivery before the server has the message cause no duplicate', async () => {
    const { world } = fault;
    await world.start();
    world.sink.modes = { mute: true };
    const id = await world.send(await world.account(), ['ok-f3@x.test']);
    for (let kill = 1; kill <= 3; kill++) {
      await until(
        'it is being handed over',
        async () =>
          (
            await world.db.query(
              'select 1 from email_delivery_logs where history_id = $1 and transmitting and lease_until > now()',
              [id],
            )
          ).rowCount === 1,
      );
      if (kill === 3) world.sink.modes = {};
      await world.replace(world.workers[0]!);
    }
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
    expect(world.copiesOf('ok-f3@x.test')).toBe(1);
  });

  it('a worker is suspended past its leases while another takes over: nobody is lost, and extra copies stay within the window', async () => {
    const { world, after } = fault;
    await world.start({ workers: 2 });
    world.sink.modes = { delayMs: 30 };
    await world.send(await world.account(), many('ok', 1000));
    await until('mail goes out', () => world.arrived('ok') > 20);
    await after(0, 300);
    world.workers[0]!.signal('SIGSTOP');
    const before = world.arrived('ok');
    await until('the other worker goes on', () => world.arrived('ok') > before + MAX_IN_FLIGHT);
    world.workers[0]!.signal('SIGCONT');
    world.sink.modes = {};
    await world.settled();
    // eslint-disable-next-line staffcast/no-bare-wait -- outstanding writes of the first worker, which must change nothing
    await pause(1000);
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(MAX_IN_FLIGHT);
    const { rows } = await world.db.query(
      `select recipient_email, status from email_delivery_logs where status <> 'sent'`,
    );
    expect(rows).toEqual([]);
  });

  it('the web process is killed between commit and enqueue: the send goes out all the same', async () => {
    const { world } = fault;
    await world.start();
    const account = await world.account();
    const list = await world.list(account, many('ok', 50));
    world.redis.signal('SIGSTOP');
    const answer = world.post('/api/send-email', world.mail(list), { account }).catch(() => undefined);
    await until(
      'the send is committed',
      async () => (await world.db.query('select 1 from email_history')).rowCount === 1,
    );
    await world.replace(world.webs[0]!);
    await answer;
    // Redis loses its data, and with it the job that names the send.
    await world.redis.kill();
    await world.redis.up();
    const { rows } = await world.db.query<{ id: string }>('select id from email_history');
    world.acknowledged.push({ id: rows[0]!.id, account, addresses: many('ok', 50) });
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it('the web process is killed in the middle of accepting, or the client leaves: all or nothing', async () => {
    const { world, random, after } = fault;
    await world.start();
    const accounts = [await world.account(), await world.account()];
    // In five rounds, all web instances are killed during ten concurrent sends, each time at a different moment. In the
    // last round, ten clients hang up.
    const kinds = [...Array<'kill'>(5).fill('kill'), 'leave'] as const;
    for (const [round, kind] of kinds.entries()) {
      const tries = await Promise.all(
        Array.from({ length: 10 }, async (_, i) => {
          const addresses = many(`ok${round}x${i}`, 100);
          return { account: accounts[i % 2]!, addresses, list: await world.list(accounts[i % 2]!, addresses) };
        }),
      );
      const answers = tries.map(async ({ account, list }) => {
        await after(0, 250);
        const leaveMs = kind === 'leave' ? Math.ceil(random() * 40) : 30_000;
        return world.post('/api/send-email', world.mail(list), { account, timeoutMs: leaveMs }).then(
          ({ status }) => status,
          () => 0,
        );
      });
      if (kind === 'kill') {
        await after(50, 350);
        await (await world.replace(world.webs[0]!)).ready();
      }
      const statuses = await Promise.all(answers);
      // A graceful stop lets the requests of the clients that hung up end by themselves.
      if (kind === 'leave') await world.webs[0]!.stop('SIGTERM');
      for (const [i, { account, addresses, list }] of tries.entries()) {
        const { rows } = await world.db.query<{ id: string; n: number }>(
          `select h.id, (select count(*)::int from email_delivery_logs d where d.history_id = h.id) as n from email_history h where h.email_list_id = $1`,
          [list],
        );
        if (statuses[i] === 202) expect(rows).toHaveLength(1);
        if (rows.length === 0) continue;
        expect(rows).toEqual([{ id: rows[0]!.id, n: 100 }]);
        world.acknowledged.push({ id: rows[0]!.id, account, addresses });
      }
      world.figures[`accepted${round}`] = statuses.filter((status) => status === 202).length;
      world.figures[`standing${round}`] = world.acknowledged.length;
    }
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  if (fault.seed === 1) {
    it("with production's timeouts, all messages except those with an unknown result are sent 90 s after a kill", async () => {
      const { world, after } = fault;
      await world.start({ env: AS_SHIPPED });
      world.sink.modes = { delayMs: 10 };
      await world.send(await world.account(), many('ok', 2000));
      await until('mail goes out', () => world.arrived('ok') > 50);
      await after(0, 300);
      await world.replace(world.workers[0]!);
      world.sink.modes = {};
      await until(
        'all others are out',
        async () =>
          (await world.db.query(`select 1 from email_delivery_logs where status in ('queued', 'sending') limit 1`))
            .rowCount === 0,
      );
      // Messages with an unknown result wait for the retry schedule, which takes minutes.
      const { rowCount } = await world.db.query(
        `update email_delivery_logs set next_attempt_at = now() where status = 'deferred' and ambiguous = 1`,
      );
      world.figures.doubtful = rowCount ?? 0;
      await world.settled();
      const verdict = await judge(world);
      expect(verdict).toMatchObject(clean);
      expect(verdict.extraCopies).toBeLessThanOrEqual(20);
      expect(world.arrived('ok') - verdict.extraCopies).toBe(2000);
    });
  }
});
