import { expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../kit/until.js';
import { BalancedTraffic } from './kit/balanced-traffic.js';
import { clean, judge } from './kit/oracle.js';
import { faults, many } from './kit/suite.js';
import type { Account } from './kit/world-settings.js';
import type { FaultWorld } from './kit/world.js';

/** A POSIX time zone in which the day ends in this many seconds. */
async function zoneBeforeMidnight(world: FaultWorld, seconds: number): Promise<string> {
  const { rows } = await world.db.query<{ of_day: number }>(
    `select extract(epoch from now() at time zone 'UTC' - date_trunc('day', now() at time zone 'UTC'))::int as of_day`,
  );
  const ahead = 86_400 - seconds - rows[0]!.of_day;
  const west = ahead > 43_200 ? 86_400 - ahead : -ahead;
  const part = (of: number) => String(Math.floor(Math.abs(west) / of) % 60).padStart(2, '0');
  return `<X>${west < 0 ? '-' : '+'}${part(3600)}:${part(60)}:${part(1)}`;
}

const idOf = async (answer: Response): Promise<string> => ((await answer.json()) as { id: string }).id;

/** Posts this many different sends concurrently, over all web instances. */
const postDifferent = (world: FaultWorld, account: Account, list: string, count: number): Promise<Response[]> =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      world.post('/api/send-email', world.mail(list), { account, web: world.webs[i % world.webs.length] }),
    ),
  );

faults('repeated requests and restarts', (fault) => {
  it('[short] twenty equal concurrent requests are one send; fifty different ones over two instances stay within the limit', async () => {
    const { world, seed } = fault;
    await world.start({ webs: 2 });
    const addresses = many('ok', 20);
    for (const key of [`key-${seed}`, undefined]) {
      const account = await world.account(key ? null : '5');
      const named = addresses.map((address) => `${key ?? 'nokey'}-${address}`);
      const body = world.mail(await world.list(account, named));
      const same = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          world.post('/api/send-email', body, { account, web: world.webs[i % 2], key }),
        ),
      );
      expect(same.map(({ status }) => status)).toEqual(Array(20).fill(202));
      const ids = new Set(await Promise.all(same.map(idOf)));
      expect(ids.size).toBe(1);
      expect(
        (await world.db.query('select emails_sent from usage_tracking where user_id = $1', [account.id])).rows,
      ).toEqual([{ emails_sent: 1 }]);
      world.acknowledged.push({ id: [...ids][0]!, account, addresses: named });
    }
    const other = await world.account(null);
    const different = await postDifferent(world, other, await world.list(other, many('ok2', 10)), 50);
    const accepted = different.filter(({ status }) => status === 202);
    expect([accepted.length, different.filter(({ status }) => status === 429).length]).toEqual([1, 49]);
    world.acknowledged.push({ id: await idOf(accepted[0]!), account: other, addresses: many('ok2', 10) });
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it("around midnight of the user's zone each day allows one send", async () => {
    const { world } = fault;
    await world.start({ webs: 2 });
    const account = await world.account(null);
    const list = await world.list(account, many('ok', 5));
    await world.db.query('update users set time_zone = $2 where id = $1', [
      account.id,
      await zoneBeforeMidnight(world, 5),
    ]);
    const answers: Response[] = [];
    const days = async () =>
      (
        await world.db.query<{ n: number }>('select emails_sent as n from usage_tracking where user_id = $1', [
          account.id,
        ])
      ).rows.map(({ n }) => n);
    await until('the second day has its send', async () => {
      answers.push(...(await postDifferent(world, account, list, 6)));
      return (await days()).length === 2;
    });
    answers.push(...(await postDifferent(world, account, list, 20)));
    expect(await days()).toEqual([1, 1]);
    const accepted = answers.filter(({ status }) => status === 202);
    expect([accepted.length, answers.filter(({ status }) => status !== 202 && status !== 429)]).toEqual([2, []]);
    await world.settled();
    expect(many('ok', 5).map(world.copiesOf)).toEqual(Array(5).fill(2));
  });

  it('instances, workers and sweepers that start concurrently migrate once, ask each new contact once and send no mail twice', async () => {
    const { world } = fault;
    await world.start({ webs: 2, workers: 3, database: 'empty' });
    const { rows } = await world.db.query<{ times: number }>(
      'select distinct count(*)::int as times from mikro_orm_migrations group by name',
    );
    expect(rows).toEqual([{ times: 1 }]);
    const account = await world.account();
    const list = await world.list(account, []);
    const fresh = many('fresh', 30);
    expect(
      (await world.post(`/api/email-lists/${list}/subscribers/import`, { lines: fresh }, { account })).status,
    ).toBe(202);
    await world.send(account, many('ok', 300));
    for (let round = 0; round < 2; round++) {
      await Promise.all(world.workers.map((one) => one.stop('SIGTERM')));
      await Promise.all(world.workers.map((one) => one.start().ready()));
    }
    await until('everybody was asked', () => fresh.every((address) => world.copiesOf(address) > 0));
    await world.settled();
    // eslint-disable-next-line staffcast/no-bare-wait -- another sweep of every instance, which asks nobody
    await pause(6000);
    expect(fresh.map(world.copiesOf)).toEqual(Array(30).fill(1));
    expect(await judge(world, fresh)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it('a rolling restart under load fails no call and duplicates no mail', async () => {
    const { world, after } = fault;
    // The load balancer notices a draining instance by failed checks, which take a second each on a busy machine.
    await world.start({ webs: 2, workers: 2, env: { DRAIN_SECONDS: '4' } });
    world.sink.modes = { delayMs: 20 };
    const account = await world.account();
    await world.send(account, many('ok', 1500));
    const front = new BalancedTraffic(() => world.webs, account.cookie, 20, [
      { method: 'GET', path: '/api/email-lists?limit=20' },
      { method: 'GET', path: '/api/auth/user' },
      { method: 'POST', path: '/api/email-lists', body: { name: 'Meanwhile' } },
      { method: 'GET', path: '/api/email-history?limit=10' },
    ]);
    for (const instance of [...world.workers, ...world.webs]) {
      await after(200, 800);
      // The instance exits by itself although calls keep coming in.
      expect(await instance.stop('SIGTERM')).toBe(0);
      await instance.start().ready();
      // The next instance stops only once the load balancer uses this one again, as in any rolling restart.
      if (world.webs.includes(instance)) await until('the load balancer uses it', () => front.uses(instance));
    }
    world.sink.modes = {};
    await front.stop();
    expect(front.failures).toEqual([]);
    expect(front.answered).toBeGreaterThan(50);
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });
});
