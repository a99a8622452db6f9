import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { POOL_LIMITS } from '../src/shared/database/pool.js';
import type { Instance } from '../test/cluster/kit/processes.js';
import type { Options } from './main.js';
import { ms, type Row, slope, sum } from './report.js';
import { roundRobin } from './sending.js';
import { errorsOf, evenly, words } from './constant-rate.js';
import { Stage } from './stage.js';

const SAMPLE_MS = 5_000;
const RENEW_MS = 600_000;

/**
 * Makes 30 reads and sends 20 messages a second for half an hour (--soak-minutes). Memory, handles and connections must
 * not grow.
 */
export async function soak({ soakMinutes }: Options): Promise<Row[]> {
  const stage = await Stage.open({ SEND_RATE: '20' });
  const redis = new Redis(process.env.TEST_REDIS_URL!);
  let renewal: NodeJS.Timeout | undefined;
  try {
    const user = await stage.user();
    const calls = await stage.reads();
    const list = await stage.list(user, Math.max(20_000, Math.ceil(soakMinutes * 60 * 25)));
    const base = await redis.dbsize();
    await stage.sink.reset();
    const send = await stage.send(user, list);
    renewal = setInterval(() => void stage.renew(), RENEW_MS);
    const samples: { at: number; rss: number; handles: number; connections: number }[] = [];
    const end = Date.now() + soakMinutes * 60_000;
    const [shot] = await Promise.all([
      evenly(30, Math.round(soakMinutes * 60), roundRobin(stage, calls)),
      (async () => {
        for (; Date.now() < end; await pause(SAMPLE_MS)) samples.push(await sample(stage));
      })(),
    ]);
    await stage.cancel(user, send);
    const fault = await stage.fault(send);
    // Waits for keys that expire by themselves: job locks and request counts.
    let left = await redis.dbsize();
    for (const limit = Date.now() + 90_000; left > base && Date.now() < limit; left = await redis.dbsize())
      await pause(1000);
    const later = samples.filter(({ at }) => at - samples[0]!.at > Math.min(300_000, (soakMinutes * 60_000) / 2));
    const minutes = later.map((one) => one.at / 60_000 - later[0]!.at / 60_000);
    const growth = slope(later.map((one, n) => [minutes[n]!, one.rss] as const));
    const handles = slope(later.map((one, n) => [minutes[n]!, one.handles] as const));
    const connections = Math.max(...samples.map((one) => one.connections));
    const most =
      POOL_LIMITS.web.poolMax * stage.cluster.webs.length +
      POOL_LIMITS.worker.poolMax * stage.cluster.workers.length +
      4;
    const settled = soakMinutes >= 30 ? '' : ` (${soakMinutes} min: the slope of the second half, too short to judge)`;
    return [
      {
        what: `soak of ${soakMinutes} min at 30 reads and 20 messages a second`,
        measured: words(shot),
        target: '0 errors',
        met: errorsOf(shot) === 0 && !fault,
      },
      {
        what: '  memory of all instances together',
        measured: `${growth.toFixed(2)} MB/min, from ${Math.round(samples[0]!.rss)} to ${Math.round(samples.at(-1)!.rss)} MB${settled}`,
        target: '< 1 MB/min each',
        met: settled ? undefined : growth < stage.cluster.all.length,
      },
      {
        what: '  open files, connections, keys',
        measured: `files ${handles.toFixed(2)}/min; PostgreSQL at most ${connections} of ${most}; Redis ${base} keys before, ${left} after${fault ? `; ${fault}` : ''}`,
        target: 'no growth',
        met: Math.abs(handles) < 1 && connections <= most && left <= base,
      },
    ];
  } finally {
    clearInterval(renewal);
    redis.disconnect();
    await stage.close();
  }
}

async function sample(stage: Stage): Promise<{ at: number; rss: number; handles: number; connections: number }> {
  const vitals = await Promise.all(stage.cluster.all.map((instance) => stage.vitals(instance)));
  const { rows } = await stage.cluster.db.query<{ n: number }>(
    'select count(*)::int as n from pg_stat_activity where datname = $1',
    [stage.cluster.database],
  );
  return {
    at: Date.now(),
    rss: sum(vitals.map(({ rss }) => rss)),
    handles: sum(vitals.map(({ handles }) => handles)),
    connections: rows[0]!.n,
  };
}

/**
 * Measures how long instances take to report ready, and how long it takes until the old send rate is back after the
 * loss of the worker, of all database connections or of Redis' contents.
 */
export async function recovery(): Promise<Row[]> {
  const stage = await Stage.open({ SEND_RATE: '60' });
  const redis = new Redis(process.env.TEST_REDIS_URL!);
  try {
    const starts: [string, number][] = [];
    for (const instance of [stage.cluster.webs[1]!, stage.worker])
      starts.push([instance.name, await restart(instance)]);
    const user = await stage.user();
    const list = await stage.list(user, 20_000);
    const send = await stage.send(user, list);
    await stage.seen(600);
    const rows: Row[] = [
      {
        what: 'cold start',
        measured: starts.map(([name, took]) => `${name} ${ms(took)}`).join(', '),
        target: 'ready < 10 s',
        met: starts.every(([, took]) => took < 10_000),
      },
    ];
    const faults: [string, () => Promise<unknown>][] = [
      ['the worker is killed and started again', () => restart(stage.worker)],
      [
        'every database connection is cut',
        () =>
          stage.cluster.db.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
            [stage.cluster.database],
          ),
      ],
      ['Redis is emptied', () => redis.flushall()],
    ];
    for (const [what, fault] of faults) {
      const old = await rate(stage, 5000);
      const started = performance.now();
      await fault();
      const seconds = await until80(stage, old, started);
      rows.push({
        what: `back to 80 % of the rate after ${what}`,
        measured: `${seconds.toFixed(1)} s (${Math.round(old)}/s before)`,
        target: '< 90 s',
        met: seconds < 90,
      });
    }
    await stage.cancel(user, send);
    const { extraCopies } = await stage.sink.counts();
    return [
      ...rows,
      {
        what: '  mailed twice over these',
        measured: `${extraCopies}`,
        target: '<= 20 (one kill)',
        met: extraCopies <= 20,
      },
    ];
  } finally {
    redis.disconnect();
    await stage.close();
  }
}

async function restart(instance: Instance): Promise<number> {
  await instance.stop('SIGKILL');
  const started = performance.now();
  await instance.start().ready();
  return performance.now() - started;
}

async function rate(stage: Stage, forMs: number): Promise<number> {
  const before = (await stage.sink.counts()).messages;
  await pause(forMs);
  return (((await stage.sink.counts()).messages - before) * 1000) / forMs;
}

/**
 * Waits until the send rate is at least 80 % of the old one. Checks every two seconds.
 * @returns seconds since the fault
 */
async function until80(stage: Stage, old: number, started: number): Promise<number> {
  while (performance.now() - started < 120_000) if ((await rate(stage, 2000)) >= 0.8 * old) break;
  return (performance.now() - started) / 1000;
}
