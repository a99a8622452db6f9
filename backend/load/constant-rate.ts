import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { median, ms, quantile } from './report.js';

/** Result of calls at a constant rate. */
export interface LoadResult {
  p50: number;
  p95: number;
  p99: number;
  max: number;
  /** Answers by status; calls without an answer count as 0. */
  statuses: Record<number, number>;
  total: number;
}

export const errorsOf = ({ statuses, total }: LoadResult): number =>
  total - (statuses[200] ?? 0) - (statuses[201] ?? 0) - (statuses[202] ?? 0);
export const words = (shot: LoadResult): string =>
  `p50 ${ms(shot.p50)}, p95 ${ms(shot.p95)}, p99 ${ms(shot.p99)}, max ${ms(shot.max)}; ${errorsOf(shot)} errors of ${shot.total}`;

/** The run with the median p99. */
export const medianRun = <S extends { p99: number }>(shots: readonly S[]): S =>
  shots.find((shot) => shot.p99 === median(shots.map(({ p99 }) => p99)))!;

type Options = Omit<autocannon.Options, 'duration' | 'connections' | 'overallRate' | 'connectionRate'>;

/**
 * Makes `rate` calls a second, evenly spread. Starts one autocannon per call of a second, one after another, each with
 * one connection and one call a second. A single `autocannon -R N -c M` would make all calls of a second together at
 * its start, and its correction would assume a call in every millisecond. Here, a call that is due while its connection
 * still waits counts with the time that it waits (HdrHistogram's correction).
 */
export async function evenly(rate: number, seconds: number, options: Options): Promise<LoadResult> {
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  const started = performance.now();
  await Promise.all(
    Array.from({ length: rate }, async (_none, n) => {
      const due = started + (n * 1000) / rate;
      await pause(Math.max(0, due - performance.now()));
      const { errors } = await fire(
        { ...options, connections: 1, connectionRate: 1, duration: seconds },
        (status, time) => {
          statuses[status] = (statuses[status] ?? 0) + 1;
          for (let late = time; late > 0; late -= 1000) times.push(late);
        },
      );
      if (errors > 0) statuses[0] = (statuses[0] ?? 0) + errors;
    }),
  );
  return shotOf(times, statuses);
}

/** Result of calls at a constant rate, with autocannon's own counting and correction. */
export interface OwnLoadResult {
  p50: number;
  /** Autocannon does not report this quantile; it is computed with autocannon's method. */
  p95: number;
  p97_5: number;
  p99: number;
  max: number;
  errors: number;
  total: number;
}

export const describeOwn = ({ p50, p95, p97_5, p99, max, errors, total }: OwnLoadResult): string =>
  `p50 ${ms(p50)}, p95 ${ms(p95)}, p97.5 ${ms(p97_5)}, p99 ${ms(p99)}, max ${ms(max)}; ${errors} errors of ${total}`;

/**
 * Runs `autocannon -R` unchanged, as the load targets require: it makes each second's calls in bursts over ten
 * connections.
 */
export async function inBursts(rate: number, seconds: number, options: Options): Promise<OwnLoadResult> {
  let failed = 0;
  const counted: number[] = [];
  const result = await fire({ ...options, connections: 10, overallRate: rate, duration: seconds }, (status, time) => {
    if (status < 200 || status > 202) failed += 1;
    // Autocannon's correction assumes a call in every millisecond of a wait.
    else for (let late = Math.floor(time); late > 0; late -= 1) counted.push(late);
  });
  const { p50, p97_5, p99, max } = result.latency;
  return {
    p50,
    p95: quantile(counted, 0.95),
    p97_5,
    p99,
    max,
    errors: failed + result.errors,
    total: result.requests.total,
  };
}

/**
 * Makes `rate` calls a second, whether or not earlier ones were answered. Autocannon's connections would block instead.
 */
export async function flood(rate: number, seconds: number, call: () => Promise<Response>): Promise<LoadResult> {
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  const started = performance.now();
  await Promise.all(
    Array.from({ length: rate * seconds }, async (_none, n) => {
      await pause(Math.max(0, started + (n * 1000) / rate - performance.now()));
      const from = performance.now();
      const status = await call().then(
        (answer) => answer.arrayBuffer().then(() => answer.status),
        () => 0,
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
      times.push(performance.now() - from);
    }),
  );
  return shotOf(times, statuses);
}

function fire(options: autocannon.Options, answered: (status: number, ms: number) => void): Promise<autocannon.Result> {
  return new Promise((resolve, reject) => {
    const instance = autocannon({ ...options, timeout: 30 }, (error, result) =>
      error ? reject(error as Error) : resolve(result),
    );
    instance.on('response', (_client, status, _bytes, time) => answered(status, time));
  });
}

function shotOf(times: number[], statuses: Record<number, number>): LoadResult {
  const total = Object.values(statuses).reduce((all, one) => all + one, 0);
  return {
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
    max: quantile(times, 1),
    statuses,
    total,
  };
}
