import { setTimeout as pause } from 'node:timers/promises';
import type { Options } from './main.js';
import { median, ms, quantile, type Row, sum } from './report.js';
import {
  errorsOf,
  evenly,
  inBursts,
  medianRun,
  type OwnLoadResult,
  describeOwn,
  type LoadResult,
  words,
} from './constant-rate.js';
import { type LoadUser, Stage } from './stage.js';

const LARGE_SEND_RECIPIENTS = 100_000;

/**
 * Posts sends to 10,000 and 100,000 recipients. Measures the time until the answer, and until all delivery rows exist.
 * The worker sends only one message a second, so that only acceptance is measured.
 */
export async function accept({ rounds }: Options): Promise<Row[]> {
  const stage = await Stage.open({ SEND_RATE: '1' });
  try {
    const user = await stage.user();
    const before = await rssOf(stage);
    const small = await acceptMany(stage, user, await stage.list(user, 10_000), 10_000, 20);
    const large = await acceptMany(
      stage,
      user,
      await stage.list(user, LARGE_SEND_RECIPIENTS),
      LARGE_SEND_RECIPIENTS,
      Math.max(3, rounds),
    );
    const grown = (await rssOf(stage)) - before;
    return [
      {
        what: 'accept a send to 10,000',
        measured: `p50 ${ms(median(small.answers))}, p95 of 20 ${ms(quantile(small.answers, 0.95))}; rows complete`,
        target: 'p95 < 1.5 s',
        met: quantile(small.answers, 0.95) < 1500,
      },
      {
        what: 'accept a send to 100,000',
        measured: `answer ${ms(median(large.answers))}, all rows there after ${ms(median(large.laidOut))}`,
        target: '< 6 s',
        met: median(large.laidOut) < 6000,
      },
      {
        what: 'memory of the web instances over these',
        measured: `${grown >= 0 ? '+' : ''}${Math.round(grown)} MB`,
        target: 'flat (< 64 MB)',
        met: grown < 64,
      },
    ];
  } finally {
    await stage.close();
  }
}

async function acceptMany(
  stage: Stage,
  user: LoadUser,
  list: string,
  count: number,
  runs: number,
): Promise<{ answers: number[]; laidOut: number[] }> {
  const answers: number[] = [];
  const laidOut: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    const send = await stage.send(user, list);
    answers.push(performance.now() - started);
    for (let n = 0; n < count;) {
      if (performance.now() - started > 60_000) throw new Error(`${n} of ${count} rows after a minute`);
      n = (
        await stage.cluster.db.query<{ n: number }>(
          'select count(*)::int as n from email_delivery_logs where history_id = $1',
          [send],
        )
      ).rows[0]!.n;
      if (n < count) await pause(50);
    }
    laidOut.push(performance.now() - started);
    await stage.cancel(user, send);
  }
  return { answers, laidOut };
}

const rssOf = async (stage: Stage): Promise<number> =>
  sum((await Promise.all(stage.cluster.webs.map((web) => stage.vitals(web)))).map(({ rss }) => rss));

/** Measures how fast one worker sends 10,000 signed messages without any other load. */
export async function drain({ rounds }: Options): Promise<Row[]> {
  const stage = await Stage.open();
  try {
    const user = await stage.user();
    const list = await stage.list(user, 10_000);
    const rates: number[] = [];
    const gaps: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await stage.sink.reset();
      const send = await stage.send(user, list);
      await stage.settled();
      const fault = await stage.fault(send);
      if (fault) throw new Error(fault);
      const { messages, firstAt, lastAt, longestGap } = await stage.sink.counts();
      rates.push((messages * 1000) / (lastAt - firstAt));
      gaps.push(longestGap);
    }
    const gap = Math.max(...gaps);
    return [
      {
        what: 'drain 10,000, signed, one worker',
        measured: `${Math.round(median(rates))}/s, longest gap ${ms(gap)}; none lost, none twice`,
        target: '>= 60/s, no gap > 2 s',
        met: median(rates) >= 60 && gap <= 2000,
      },
    ];
  } finally {
    await stage.close();
  }
}

/** Makes 100 reads and 20 unsubscribes a second while signed mail is sent: here at full speed, below with SEND_RATE. */
export const reading = async (options: Options): Promise<Row[]> => readingWhile(options, {}, 'draining');
export const readingLimited = async (options: Options): Promise<Row[]> =>
  readingWhile(options, { SEND_RATE: '100' }, 'draining with SEND_RATE=100');
export const readingIdle = async (options: Options): Promise<Row[]> =>
  readingWhile({ ...options, rounds: 1 }, null, 'nothing is sent');

async function readingWhile(
  { rounds, seconds }: Options,
  env: Record<string, string> | null,
  when: string,
): Promise<Row[]> {
  const stage = await Stage.open(env ?? {});
  try {
    const user = await stage.user();
    const calls = await stage.reads();
    const list = await stage.list(user, LARGE_SEND_RECIPIENTS);
    const reads = roundRobin(stage, calls);
    const leaves = await leaver(stage, list);
    await evenly(50, 3, reads);
    const meanwhile: Meanwhile = { rates: [], faults: [], delay: 0 };
    const own: [OwnLoadResult, OwnLoadResult][] = [];
    const even: [LoadResult, LoadResult][] = [];
    const during = <T>(shoot: () => Promise<T>): Promise<T> =>
      whileSending(stage, env && { user, list }, meanwhile, shoot);
    for (let round = 0; round < rounds; round += 1) {
      own.push([await during(() => inBursts(100, seconds, reads)), await during(() => inBursts(20, seconds, leaves))]);
      even.push(await during(() => Promise.all([evenly(100, seconds, reads), evenly(20, seconds, leaves)])));
    }
    const [ownReads, ownLeaves] = [medianRun(own.map(([shot]) => shot)), medianRun(own.map(([, shot]) => shot))];
    const [evenReads, evenLeaves] = [medianRun(even.map(([shot]) => shot)), medianRun(even.map(([, shot]) => shot))];
    const { rates, faults, delay } = meanwhile;
    const failed =
      Math.max(...own.flat().map(({ errors }) => errors), ...even.flat().map(errorsOf)) > 0 || faults.length > 0;
    return [
      {
        what: `reads at 100/s, ${when} (autocannon -R 100)`,
        measured: describeOwn(ownReads),
        target: 'p95 < 120 ms, p99 < 300 ms, 0 errors',
        met: ownReads.p95 < 120 && ownReads.p99 < 300 && !failed,
      },
      {
        what: '  evenly spread, both at a time (stricter)',
        measured: words(evenReads),
        target: 'p95 < 120 ms, p99 < 300 ms',
        met: evenReads.p95 < 120 && evenReads.p99 < 300,
      },
      {
        what: `unsubscribes at 20/s, ${when} (autocannon -R 20)`,
        measured: describeOwn(ownLeaves),
        target: 'p99 < 300 ms, 0 errors',
        met: ownLeaves.p99 < 300 && !failed,
      },
      {
        what: '  evenly spread, both at a time (stricter)',
        measured: words(evenLeaves),
        target: 'p99 < 300 ms',
        met: evenLeaves.p99 < 300,
      },
      {
        what: `  what ${env ? 'went out' : 'happened'} meanwhile`,
        measured: `${env ? `${Math.round(median(rates))} messages/s; ` : ''}event-loop delay of the web instances p99 ${ms(delay)}${env ? `; ${faults.join('; ') || 'none lost, none twice'}` : ''}`,
        target: '-',
        met: faults.length === 0 ? undefined : false,
      },
    ];
  } finally {
    await stage.close();
  }
}

interface Meanwhile {
  rates: number[];
  faults: string[];
  /** The highest p99 of the web instances' event-loop delay. */
  delay: number;
}

/** Makes calls, while a send is running if one is given. */
async function whileSending<T>(
  stage: Stage,
  sending: { user: LoadUser; list: string } | null,
  meanwhile: Meanwhile,
  calls: () => Promise<T>,
): Promise<T> {
  await stage.sink.reset();
  const send = sending && (await stage.send(sending.user, sending.list));
  if (send) await stage.seen(500);
  const [first] = await Promise.all([stage.sink.counts(), ...stage.cluster.webs.map((web) => stage.vitals(web))]);
  const shot = await calls();
  const last = await stage.sink.counts();
  meanwhile.delay = Math.max(
    ...(await Promise.all(stage.cluster.webs.map((web) => stage.vitals(web)))).map(({ loopDelay }) => loopDelay),
    meanwhile.delay,
  );
  if (!send) return shot;
  meanwhile.rates.push(((last.messages - first.messages) * 1000) / (last.lastAt - first.lastAt));
  await stage.cancel(sending.user, send);
  const fault = await stage.fault(send);
  if (fault) meanwhile.faults.push(fault);
  return shot;
}

/** Options for autocannon: the calls of all connections cycle through the paths. */
export function roundRobin(stage: Stage, calls: readonly { path: string; headers: Record<string, string> }[]) {
  let next = 0;
  return {
    url: stage.url,
    requests: [
      { method: 'GET' as const, setupRequest: (request: object) => ({ ...request, ...calls[next++ % calls.length]! }) },
    ],
  };
}

/** One-click unsubscribe requests, as mail programs send them, for up to 20,000 contacts of a list. */
async function leaver(stage: Stage, list: string) {
  const { rows } = await stage.cluster.db.query<{ token: string }>(
    'select unsubscribe_token as token from subscriptions where email_list_id = $1 order by id limit 20000',
    [list],
  );
  let next = 0;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const setupRequest = (request: object) => ({
    ...request,
    path: `/unsubscribe/${rows[next++ % rows.length]!.token}`,
    headers,
  });
  return { url: stage.url, requests: [{ method: 'POST' as const, body: 'List-Unsubscribe=One-Click', setupRequest }] };
}

/** User X queues 20,000 messages, then user Y queues 50. At the limited rate, X's messages alone take 200 s. */
export async function fairness(): Promise<Row[]> {
  const stage = await Stage.open({ SEND_RATE: '100' });
  try {
    const [x, y] = [await stage.user(), await stage.user()];
    const [big, small] = [await stage.list(x, 20_000), await stage.list(y, 50)];
    const first = await stage.send(x, big);
    await stage.seen(300);
    const asked = performance.now();
    const second = await stage.send(y, small);
    for (let done = false; !done; await pause(100)) {
      done =
        (await stage.cluster.db.query('select 1 from email_history where id = $1 and status = $2', [second, 'sent']))
          .rowCount === 1;
      if (performance.now() - asked > 120_000) break;
    }
    const seconds = (performance.now() - asked) / 1000;
    await stage.cancel(x, first);
    return [
      {
        what: "Y's 50 behind X's 20,000 (at 100/s)",
        measured: `${seconds.toFixed(1)} s`,
        target: '< 60 s',
        met: seconds < 60,
      },
    ];
  } finally {
    await stage.close();
  }
}
