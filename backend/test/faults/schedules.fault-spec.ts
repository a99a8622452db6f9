import { appendFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { until } from '../kit/until.js';
import { faults } from './kit/suite.js';
import type { FaultWorld } from './kit/world.js';
import { type Account, AS_SHIPPED } from './kit/world-settings.js';

const KILLS = 20;

/** Schedules an email for next week. */
async function schedule(world: FaultWorld, account: Account, listId: string): Promise<string> {
  const at = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString().slice(0, 16);
  const answer = await world.post(
    '/api/scheduled-sends',
    { send: world.mail(listId), at, timeZone: 'UTC' },
    { account },
  );
  if (answer.status !== 201) throw new Error(`scheduling: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}

/**
 * Copies a scheduled send `count` times. The first copy is due `seconds` plus `gap` from now, each further one `gap`
 * seconds later.
 */
async function copies(world: FaultWorld, id: string, count: number, seconds: number, gap = 0): Promise<void> {
  await world.db.query(
    `insert into scheduled_sends (user_id, send, content_hash, local_at, time_zone, due_at, zone_data, usage_date, estimate)
     select user_id, send, content_hash, local_at, time_zone, now() + make_interval(secs => $3::float8 + n * $4::float8), zone_data, usage_date, estimate
     from scheduled_sends, generate_series(1, $2::int) n where id = $1`,
    [id, count, seconds, gap],
  );
}

const countOf = async (world: FaultWorld, sql: string): Promise<number> =>
  Number((await world.db.query<{ n: string }>(`select count(*) as n from ${sql}`)).rows[0]!.n);

/** Seconds between the time at which a send is due and its acceptance: median, 99th percentile and maximum. */
async function lateness(
  world: FaultWorld,
  accountId: string,
): Promise<{ n: number; median: number; p99: number; worst: number }> {
  const { rows } = await world.db.query<{ n: number; median: number; p99: number; worst: number }>(
    `select count(*)::int as n, percentile_cont(0.5) within group (order by late) as median, percentile_cont(0.99) within group (order by late) as p99, max(late) as worst
     from (select extract(epoch from h.sent_at - s.due_at)::float8 as late from scheduled_sends s join email_history h on h.id = s.history_id where s.user_id = $1) t`,
    [accountId],
  );
  return rows[0]!;
}

function note(test: string, figures: object): void {
  if (process.env.FAULT_FIGURES) appendFileSync(process.env.FAULT_FIGURES, `${JSON.stringify({ test, ...figures })}\n`);
}

faults('scheduled sends', (fault) => {
  it(`the worker is killed at the due second, ${KILLS} times: each email leaves exactly once`, async () => {
    const { world, after } = fault;
    await world.start();
    const account = await world.account();
    const listId = await world.list(account, ['ok-f34@x.test']);
    const first = await schedule(world, account, listId);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await copies(world, first, 3, 1);
      await after(850, 1_250);
      await (await world.replace(world.workers[0]!)).ready();
      await until(
        'all have left',
        async () => (await countOf(world, `scheduled_sends where state = 'sent'`)) === kill * 3,
      );
    }
    expect(await countOf(world, 'email_history')).toBe(KILLS * 3);
    expect(
      await countOf(world, '(select distinct history_id from scheduled_sends where history_id is not null) t'),
    ).toBe(KILLS * 3);
    expect(await countOf(world, `scheduled_sends where state not in ('sent', 'scheduled')`)).toBe(0);
    await world.settled();
    expect(world.copiesOf('ok-f34@x.test')).toBeGreaterThanOrEqual(KILLS * 3);
  });

  it('emails that are due in the same minute leave within the next; finding the due ones among 100,000 takes one short query', async () => {
    const { world } = fault;
    await world.start({ env: AS_SHIPPED });
    const single = await world.account(null);
    await world.db.query(`update users set plan_access_until = '2100-01-01' where id = $1`, [single.id]);
    const one = await schedule(world, single, await world.list(single, ['ok-one@x.test']));
    // The copies are due one at a time, at moments that are unrelated to those of the sweep.
    await copies(world, one, 15, 8, 2.3);
    await until('each has left', async () => (await lateness(world, single.id)).n === 15);
    const singles = await lateness(world, single.id);

    const accounts: Account[] = [];
    for (let n = 0; n < 10; n += 1) {
      const account = await world.account();
      await copies(world, await schedule(world, account, await world.list(account, [`ok-m${n}@x.test`])), 100, 8, 0.1);
      accounts.push(account);
    }
    const all = () => countOf(world, `scheduled_sends where state = 'sent' and user_id <> '${single.id}'`);
    await until('all have left', async () => (await all()) === 1_000, 180_000);
    const many = await Promise.all(accounts.map(({ id }) => lateness(world, id)));

    await world.db.query(
      `insert into scheduled_sends (user_id, send, content_hash, local_at, time_zone, due_at, zone_data, usage_date, estimate)
       select user_id, send, content_hash, local_at, time_zone, now() + make_interval(mins => n), zone_data, usage_date, estimate
       from scheduled_sends, generate_series(1, 100000) n where id = $1`,
      [one],
    );
    await world.db.query('analyze scheduled_sends');
    const { rows: plan } = await world.db.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers) select user_id from (select user_id, due_at from scheduled_sends where state = 'scheduled' and due_at <= now() order by due_at limit 1000) due group by user_id order by min(due_at)`,
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toMatch(/scheduled_sends_due_index/);
    const figures = {
      singles,
      slowestOfMany: Math.max(...many.map(({ worst }) => worst)),
      lookMs: /Execution Time: ([\d.]+)/.exec(text)![1],
    };
    note('due sends', figures);
    expect(singles.n).toBe(15);
  });
});
