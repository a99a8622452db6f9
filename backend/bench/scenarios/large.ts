import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { figure, info, median, quantile, type Figure } from '../goals/goals.js';
import type { RedisServer } from '../../test/faults/kit/redis-server.js';
import { freePort, ProductProcess, type SinkProcess } from '../processes.js';
import { rateOf, seen, withWorker } from '../rates.js';
import type { Scenario } from '../scenario.js';
import { type World } from '../world.js';

/**
 * Goals 6, 7, 11, 13, 15: a small and the largest send, each by one worker. The largest gets 2 % replies of 451 and 1 %
 * cut connections, and PostgreSQL and Redis are restarted midway.
 */
export const large: Scenario = async (bench) => {
  const { world, sink, redis, size, large: count } = bench;
  const peaks: number[] = [];
  const figures: Figure[] = [];
  for (const [recipients, faults] of [
    [size, {}],
    [count, { deferPer10k: 200, cutPer10k: 100 }],
  ] as const) {
    const list = await world.list(recipients, `List of ${recipients}`);
    const answers: number[] = [];
    if (recipients === count) await atRest(world);
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
      if (recipients === count)
        figures.push(
          ...(await judged(world, sink, id, count)),
          figure('11b', first, `${count} recipients`),
          info('largest send', await rateOf(sink), '/s'),
        );
    });
    await sink.set({});
    if (recipients === count)
      figures.push(
        figure('11', quantile([...answers, ...(await acceptTimes(world, list))], 0.95), `${count} recipients`),
      );
    else
      figures.push(
        info(
          `POST send of ${recipients}, p95`,
          quantile([...answers, ...(await acceptTimes(world, list))], 0.95),
          'ms',
        ),
      );
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
    figure('7', count - distinct),
    figure(
      '7b',
      Math.max(0, extraCopies - cuts),
      `${messages} stored, ${extraCopies} copies, ${cuts} cut past the dot`,
    ),
    figure('7c', Math.abs(count - logged), JSON.stringify(statuses)),
  ];
}

/** Measures acceptance alone: no worker runs, and accepted sends are cancelled. */
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
/** Upper bound of the messages that a killed worker has claimed. No worker sends them before the lease ends. */
const CLAIMED_BY_KILLED = 2_000;

/**
 * Goal 8: ten kills within one send, each once the worker has reached full speed again. Copies of a message count for
 * the kill that follows its first copy. The list is long enough that unclaimed messages are left after the last kill;
 * otherwise the new worker would have to wait for the end of a lease.
 */
export const kill: Scenario = async ({ world, sink, size }) => {
  const between = Math.max(3000, Math.floor(size / 3));
  const count = between * (KILLS + 2) + KILLS * CLAIMED_BY_KILLED;
  const list = await world.list(count, 'Killed');
  await sink.reset();
  await sink.phase(1);
  let worker = await ProductProcess.start('worker', world.workerEnv);
  const { id } = await world.send(list);
  const resumes: number[] = [];
  const left: number[] = [];
  const sinceReady: number[] = [];
  for (let n = 1; n <= KILLS; n++) {
    await seen(sink, (await sink.counts()).messages + between);
    await worker.stop('SIGKILL');
    await pause(200);
    const { messages, distinct } = await sink.phase(n + 1);
    left.push(count - distinct);
    const start = Date.now();
    const port = await freePort();
    worker = await ProductProcess.start('worker', { ...world.workerEnv, WORKER_PORT: String(port) });
    const ready = worker.ready(port);
    await seen(sink, messages + 1);
    resumes.push((Date.now() - start) / 1000);
    const readyAt = await ready;
    sinceReady.push(Math.max(0, start + resumes.at(-1)! * 1000 - readyAt) / 1000);
  }
  const resumedAt = Date.now();
  await world.settled(id, 600_000);
  const settledAfter = (Date.now() - resumedAt) / 1000;
  await worker.stop();
  const { extraByPhase, distinct } = await sink.counts();
  const doubles = Array.from({ length: KILLS }, (_, n) => extraByPhase[n + 1] ?? 0);
  return [
    figure('8', Math.max(...doubles), `each kill: ${doubles.join(', ')}`),
    figure('8b', count - distinct, JSON.stringify(await world.statuses(id))),
    figure(
      '8c',
      Math.max(...resumes),
      `from the start of the new process; each (messages left): ${resumes.map((one, i) => `${one.toFixed(1)} (${left[i]})`).join(', ')}`,
    ),
    info('the same, median', median(resumes), 's'),
    info('the same, from the moment the new process is up, the worst', Math.max(...sinceReady), 's'),
    info('from the last restart until the send ended, with the leases of the killed', settledAfter, 's'),
    info('load average', loadavg()[0]!, ''),
  ];
};

/**
 * A small send that starts after a large one of another sender. The duration of the large send is printed too, because
 * it depends on other load of the machine.
 */
export const fairness: Scenario = async ({ world, sink }) => {
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
    return [figure('small-behind-large', seconds, `the 20,000 took ${((Date.now() - start) / 1000).toFixed(0)} s`)];
  });
  await sink.set({});
  return figures;
};

/** Goal 13: response times on an idle machine, and right after a send to the whole list while the worker still runs. */
export const pages: Scenario = async ({ world, sink, large: count }) => {
  const list = await world.list(count, 'Read');
  await atRest(world);
  const idle = await pageTimes(world, list, `${count} contacts, idle`);
  await sink.reset();
  const after = await withWorker(world, async () => {
    await world.settled((await world.send(list)).id);
    return pageTimes(world, list, `${count} contacts, right after a send to them`);
  });
  return [...idle, ...after];
};

/** Runs the vacuum and the checkpoint that PostgreSQL would otherwise run during the measured calls. */
async function atRest(world: World): Promise<void> {
  await world.db.query('vacuum analyze subscriptions');
  await world.db.query('checkpoint');
}

const WARM_UP_CALLS = 40;

/**
 * Response times of the list screens: the lists, the newest contacts, a search with few matches, one that matches
 * everything, and one for a single letter.
 */
async function pageTimes(world: World, list: string, when: string): Promise<Figure[]> {
  const contacts = `/api/email-lists/${list}/subscribers?limit=50`;
  const kinds: Record<string, (i: number) => string> = {
    lists: () => '/api/email-lists',
    page: () => contacts,
    'search for few': (i) => `${contacts}&search=p${i + 10}77`,
    'search for all': () => `${contacts}&search=people`,
    'one letter': (i) => `${contacts}&search=${'pqxyz'[i % 5]!}`,
  };
  const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let i = -WARM_UP_CALLS; i < 100; i++) {
    for (const [kind, path] of Object.entries(kinds)) {
      const spent = await timed(() => world.call('GET', path(Math.abs(i))));
      if (i >= 0) times[kind]!.push(...spent);
    }
  }
  const each = Object.entries(times)
    .map(([kind, of]) => `${kind} ${quantile(of, 0.5).toFixed(1)}/${quantile(of, 0.99).toFixed(1)}`)
    .join(', ');
  return [figure('13', quantile(Object.values(times).flat(), 0.99), `${when}; p50/p99 of ${each}`)];
}

async function timed(call: () => Promise<Response>): Promise<number[]> {
  const start = performance.now();
  await (await call()).arrayBuffer();
  return [performance.now() - start];
}
