import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { figure, info, median, quantile, type Figure } from './goals.js';
import { apiLoad } from './load.js';
import type { RedisServer } from '../test/faults/kit/redis-server.js';
import { freePort, ProductProcess, type SinkProcess } from './processes.js';
import { bare, bareRate, productRate, rateOf, seen, withWorker } from './rates.js';
import type { Scenario } from './scenario.js';
import { hostile } from './scenarios/hostile.js';
import { oneProvider, providers, waiting } from './scenarios/providers.js';
import { tenants } from './scenarios/tenants.js';
import { DKIM_PEM, type World } from './world.js';

const byRound = (products: number[], others: number[]): number => median(products.map((rate, i) => rate / others[i]!));

/** Goals 1, 2 and 14: interleaved rounds, so that a busy neighbour slows all alike. */
const speed: Scenario = async ({ world, sink, rounds, size }) => {
  const list = await world.list(size);
  const n: number[] = [];
  const own: number[] = [];
  const ownCost: number[] = [];
  const product: number[] = [];
  const statements: number[] = [];
  const cost: number[] = [];
  const peak = await withWorker(world, async (worker) => {
    for (let round = 0; round < rounds; round++) {
      n.push(await bareRate(sink, { kind: 'nodemailer', messages: 5000, connections: 10 }));
      const alone = await bare(sink, { kind: 'own', messages: size, connections: 10 });
      own.push(alone.rate);
      ownCost.push(alone.cost);
      const [before, spent] = [await world.statements(), worker.processorTime()];
      product.push(await productRate(world, sink, list));
      cost.push(((worker.processorTime() - spent) * 1e6) / size);
      statements.push((((await world.statements()) - before) * 500) / size);
    }
    if (process.env.BENCH_STATEMENTS) process.stderr.write(`${await world.statementTable()}\n`);
    return worker.peak();
  });
  return [
    figure('1', byRound(product, n)), figure('2', byRound(cost, ownCost), cost.map((one, i) => `${one.toFixed(0)}/${ownCost[i]!.toFixed(0)}`).join(', ')), figure('14', median(statements), 'pg_stat_statements, all that the worker ran'),
    info('nodemailer pool 10, composing', median(n), '/s'), info('own renderer and transport alone', median(own), '/s'), info('product, delivered and logged', median(product), '/s'),
    info('processor time of the worker, a message', median(cost), 'us'), info('the same of the bare transport', median(ownCost), 'us'), info('load average', loadavg()[0]!, ''), info('worker memory, peak', peak, 'MB'),
  ];
};

/** Goal 5. */
const dkim: Scenario = async ({ world, sink, rounds, size }) => {
  const list = await world.list(Math.min(size, 6000), 'Signed');
  const n: number[] = [];
  const product: number[] = [];
  await withWorker(world, async () => {
    for (let round = 0; round < rounds; round++) {
      n.push(await bareRate(sink, { kind: 'nodemailer', messages: 2500, connections: 10, dkim: DKIM_PEM }));
      product.push(await productRate(world, sink, list));
    }
  }, { DKIM_DOMAIN: 'bench.test', DKIM_SELECTOR: 'bench', DKIM_PRIVATE_KEY: DKIM_PEM });
  return [figure('5', byRound(product, n)), info('nodemailer pool with DKIM', median(n), '/s'), info('product with DKIM', median(product), '/s')];
};

/** Goal 4. */
const latency: Scenario = async ({ world, sink, rounds, size }) => {
  const list = await world.list(Math.max(size, 8000), 'Slow relay');
  const smtp = new URL(world.env.SMTP_URL!);
  smtp.searchParams.set('connections', '50');
  const rates: number[] = [];
  await sink.set({ delayMs: 50 });
  await withWorker(world, async () => {
    for (let round = 0; round < rounds; round++) rates.push(await productRate(world, sink, list));
  }, { SMTP_URL: smtp.href });
  await sink.set({});
  return [figure('4', median(rates) / 1000), info('50 ms a message, 50 connections', median(rates), '/s')];
};

/** Goals 6, 7, 11, 13, 15: a small and the largest send through one worker each, the largest with 2% 451 and 1% cuts, and PostgreSQL and Redis restarted midway. */
const large: Scenario = async (bench) => {
  const { world, sink, redis, size, large: count } = bench;
  const peaks: number[] = [];
  const figures: Figure[] = [];
  for (const [recipients, faults] of [[size, {}], [count, { deferPer10k: 200, cutPer10k: 100 }]] as const) {
    const list = await world.list(recipients, `List of ${recipients}`);
    const answers: number[] = [];
    if (recipients === count) figures.push(...(await pageTimes(world, list, `${count} contacts`)));
    await sink.set(faults);
    await withWorker(world, async (worker) => {
      if (recipients === count) figures.push(await redisShare(world));
      await sink.reset();
      const start = Date.now();
      const { id, ms } = await world.send(list);
      answers.push(ms);
      await seen(sink, 1);
      const first = (Date.now() - start) / 1000;
      if (recipients === count) await restartStores(world, sink, redis, count);
      await world.settled(id);
      peaks.push(worker.peak());
      if (recipients === count) figures.push(...(await judged(world, sink, id, count)), figure('11b', first, `${count} recipients`), info('largest send', await rateOf(sink), '/s'));
    });
    await sink.set({});
    if (recipients === count) figures.push(figure('11', quantile([...answers, ...(await acceptTimes(world, list))], 0.95), `${count} recipients`));
    else figures.push(info(`POST send of ${recipients}, p95`, quantile([...answers, ...(await acceptTimes(world, list))], 0.95), 'ms'));
  }
  return [figure('6', peaks[1]! / peaks[0]!, `${size} / ${count}`), figure('6b', Math.max(...peaks)), ...figures];
};

async function restartStores(world: World, sink: SinkProcess, redis: RedisServer, count: number): Promise<void> {
  await seen(sink, Math.floor(count / 3), 600_000);
  await world.crashDatabase();
  await seen(sink, Math.floor(count / 2), 600_000);
  await redis.kill();
  await pause(2000);
  await redis.up();
}

async function judged(world: World, sink: SinkProcess, id: string, count: number): Promise<Figure[]> {
  const { distinct, extraCopies, cuts, messages } = await sink.counts();
  const statuses = await world.statuses(id);
  const logged = Object.values(statuses).reduce((sum, n) => sum + n, 0);
  return [
    figure('7', count - distinct), figure('7b', Math.max(0, extraCopies - cuts), `${messages} stored, ${extraCopies} copies, ${cuts} cut past the dot`),
    figure('7c', Math.abs(count - logged), JSON.stringify(statuses)),
  ];
}

/** Accepting alone: no worker runs, and what was accepted is withdrawn again. */
async function acceptTimes(world: World, list: string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const { id, ms } = await world.send(list);
    times.push(ms);
    await world.db.query('delete from email_history where id = $1', [id]);
  }
  return times;
}

async function redisShare(world: World): Promise<Figure> {
  const redis = new Redis(world.env.REDIS_URL!);
  const memory = async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1]);
  const list = await world.list(50_000, 'Queued');
  const before = await memory();
  const { id } = await world.send(list);
  await pause(500);
  const after = await memory();
  redis.disconnect();
  await world.settled(id);
  return figure('15', Math.max(0, after - before) / 50_000);
}

const KILLS = 10;

/** Goal 8: ten kills within one send, each once the worker is at full speed again; the copies of a message count for the kill after its first. */
const kill: Scenario = async ({ world, sink, size }) => {
  const between = Math.max(3000, Math.floor(size / 3));
  const count = between * (KILLS + 2);
  const list = await world.list(count, 'Killed');
  await sink.reset();
  await sink.phase(1);
  let worker = await ProductProcess.start('worker', world.workerEnv);
  const { id } = await world.send(list);
  const resumes: number[] = [];
  const sinceReady: number[] = [];
  for (let n = 1; n <= KILLS; n++) {
    await seen(sink, (await sink.counts()).messages + between);
    await worker.stop('SIGKILL');
    await pause(200);
    const { messages } = await sink.phase(n + 1);
    const start = Date.now();
    const port = await freePort();
    worker = await ProductProcess.start('worker', { ...world.workerEnv, WORKER_PORT: String(port) });
    const ready = worker.ready(port);
    await seen(sink, messages + 1);
    resumes.push((Date.now() - start) / 1000);
    const readyAt = await ready;
    sinceReady.push(Math.max(0, start + resumes.at(-1)! * 1000 - readyAt) / 1000);
  }
  await world.settled(id, 600_000);
  await worker.stop();
  const { extraByPhase, distinct } = await sink.counts();
  const doubles = Array.from({ length: KILLS }, (_, n) => extraByPhase[n + 1] ?? 0);
  return [
    figure('8', Math.max(...doubles), `each kill: ${doubles.join(', ')}`), figure('8b', count - distinct, JSON.stringify(await world.statuses(id))),
    figure('8c', Math.max(...resumes), `from the start of the new process; each: ${resumes.map((one) => one.toFixed(1)).join(', ')}`), info('the same, median', median(resumes), 's'), info('the same, from the moment the new process is up, the worst', Math.max(...sinceReady), 's'), info('load average', loadavg()[0]!, ''),
  ];
};

/** A small send behind a large one of another sender: the machine is shared, so the large one's own length stands beside it. */
const fairness: Scenario = async ({ world, sink }) => {
  const [big, small] = [await world.list(20_000, 'Big'), await world.list(50, 'Small')];
  await sink.set({ delayMs: 20 });
  await sink.reset();
  const figures = await withWorker(world, async () => {
    const start = Date.now();
    const large = await world.send(big);
    await seen(sink, 500);
    const asked = Date.now();
    const little = await world.send(small);
    await world.settled(little.id);
    const seconds = (Date.now() - asked) / 1000;
    await world.settled(large.id);
    return [figure('F', seconds, `the 20,000 took ${((Date.now() - start) / 1000).toFixed(0)} s`)];
  });
  await sink.set({});
  return figures;
};

/** Goal 12: lists, a page of contacts and the history, 100 calls a second. */
const api: Scenario = async ({ world, sink, size }) => {
  const list = await world.list(Math.max(size, 60_000), 'While reading');
  const paths = ['/api/email-lists', `/api/email-lists/${list}/subscribers?limit=50`, '/api/email-history?limit=20', '/api/auth/user'];
  await apiLoad(world, paths, 3);
  const idle = await apiLoad(world, paths, 8);
  await sink.reset();
  const busy = await withWorker(world, async () => {
    const { id } = await world.send(list);
    await seen(sink, 500);
    let ended = false;
    const end = world.settled(id).then(() => (ended = true));
    const times = await apiLoad(world, paths, () => !ended);
    await end;
    return times;
  });
  return [
    figure('12', quantile(busy, 0.99) / quantile(idle, 0.99), `idle p99 ${quantile(idle, 0.99).toFixed(1)} ms`), figure('12b', quantile(busy, 0.99)),
    info('API p50 idle', quantile(idle, 0.5), 'ms'), info('API p50 while sending', quantile(busy, 0.5), 'ms'),
  ];
};

/** Goal 13: idle, and the moment a send to the whole list has ended, its worker still there. */
const pages: Scenario = async ({ world, sink, large: count }) => {
  const list = await world.list(count, 'Read');
  const idle = await pageTimes(world, list, `${count} contacts, idle`);
  await sink.reset();
  const after = await withWorker(world, async () => {
    await world.settled((await world.send(list)).id);
    return pageTimes(world, list, `${count} contacts, right after a send to them`);
  });
  return [...idle, ...after];
};

/** What people open of a list: the lists, its newest contacts, a search that finds few, one that finds all, one of a single letter. */
async function pageTimes(world: World, list: string, when: string): Promise<Figure[]> {
  const contacts = `/api/email-lists/${list}/subscribers?limit=50`;
  const kinds: Record<string, (i: number) => string> = {
    lists: () => '/api/email-lists', page: () => contacts, 'search for few': (i) => `${contacts}&search=p${i + 10}77`, 'search for all': () => `${contacts}&search=people`,
    'one letter': (i) => `${contacts}&search=${'pqxyz'[i % 5]!}`,
  };
  const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let i = -5; i < 100; i++) {
    for (const [kind, path] of Object.entries(kinds)) {
      const spent = await timed(() => world.call('GET', path(Math.abs(i))));
      if (i >= 0) times[kind]!.push(...spent);
    }
  }
  const each = Object.entries(times).map(([kind, of]) => `${kind} ${quantile(of, 0.5).toFixed(1)}/${quantile(of, 0.99).toFixed(1)}`).join(', ');
  return [figure('13', quantile(Object.values(times).flat(), 0.99), `${when}; p50/p99 of ${each}`)];
}

async function timed(call: () => Promise<Response>): Promise<number[]> {
  const start = performance.now();
  await (await call()).arrayBuffer();
  return [performance.now() - start];
}

/** Goal 9: a CSV with doubles and rejects against COPY of the same rows into the same table. */
const imports: Scenario = async ({ world, rounds }) => {
  const count = 50_000;
  const ours: number[] = [];
  const copied: number[] = [];
  await withWorker(world, async () => {
    for (let round = 0; round < rounds; round++) {
      const list = ((await (await world.call('POST', '/api/email-lists', { name: `Import ${round}` })).json()) as { id: string }).id;
      const tag = randomUUID().slice(0, 8);
      const lines = Array.from({ length: count }, (_, i) => (i % 1000 === 7 ? 'not an address,X' : `i${i % 997 === 3 ? i - 1 : i}@${tag}${i % 50}.test,Person ${i}`));
      const start = performance.now();
      const { id } = (await (await world.call('POST', `/api/email-lists/${list}/subscribers/import`, `email,name\n${lines.join('\n')}\n`, 'text/csv')).json()) as { id: string };
      for (let state = ''; state !== 'done'; await pause(20)) state = ((await (await world.call('GET', `/api/email-lists/${list}/subscribers/import/${id}`)).json()) as { status: string }).status;
      ours.push((count * 1000) / (performance.now() - start));
      copied.push(await world.copyRate(count));
    }
  });
  return [figure('9', byRound(ours, copied)), info('import', median(ours), 'rows/s'), info('COPY into the table', median(copied), 'rows/s')];
};

/**
 * Goal 10: five lists of the same people, all chunks by one worker that has laid out before (as guide/performance.md has every measure warmed
 * up), against the one statement that does nothing else.
 */
const layout: Scenario = async ({ world, sink, rounds, size }) => {
  const lists: string[] = [];
  for (let i = 0; i < 5; i++) lists.push(await world.list(Math.max(size, 60_000), `Five ${i}`));
  const ratios: number[] = [];
  const rates: number[] = [];
  const chunks: string[] = [];
  const laidOut = async (): Promise<string> => {
    const { id } = await world.send(...lists);
    while ((await world.db.query('select 1 from send_layouts where history_id = $1', [id])).rowCount) await pause(2);
    return id;
  };
  await sink.set({ refuse: true });
  for (let round = 0; round < rounds; round++) {
    const id = await withWorker(world, async () => {
      await laidOut();
      const measured = await laidOut();
      const { rows } = await world.db.query<{ rate: number; chunks: string }>(
        `select (sum(n) / extract(epoch from clock_timestamp() - min(at)))::float8 as rate, string_agg(n::text, ' ' order by at) as chunks
         from (select created_at as at, count(*) as n from email_delivery_logs where history_id = $1 group by 1) c`, [measured]);
      rates.push(rows[0]!.rate);
      chunks.push(rows[0]!.chunks);
      return measured;
    });
    ratios.push(rates[round]! / (await world.bareLayoutRate(lists, id)));
    await world.db.query('delete from email_history');
  }
  await sink.set({});
  return [figure('10', median(ratios), 'from the first chunk\'s start to the last one\'s end'), info('rows laid out', median(rates), '/s', `chunks of ${chunks.join(' | ')}`)];
};

export const SCENARIOS: Record<string, Scenario> = { speed, dkim, latency, kill, fairness, api, imports, large, pages, layout, providers, waiting, oneProvider, tenants, hostile };
/** What runs where nothing is chosen; `pages` is a part of `large`. */
export const ALL = Object.keys(SCENARIOS).filter((name) => name !== 'pages');
