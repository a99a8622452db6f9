import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type ApiDocument, ask, type HostileRequest, hostileRequests } from '../../test/kit/samples/hostile-bodies.js';
import { figure, info, median } from '../goals/goals.js';
import type { Scenario } from '../scenario.js';

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8'),
) as ApiDocument;
/** Durations of a plain body count as at least this many ms, so that noise does not dominate the ratio. */
const MIN_MS = 10;
const MAX_TRIES = 3;

/**
 * Goal 12c: the time of every expensive body against a plain body of the same size on the same route. On any machine,
 * the ratio shows work that grows faster than the body. The fastest of some tries counts, to exclude other load.
 */
export const bodies: Scenario = async ({ world }) => {
  const url = world.env.APP_URL!;
  const list = await world.list(3, 'Hostile');
  const { rows } = await world.db.query<{ id: string }>('select id from subscriptions where email_list_id = $1', [
    list,
  ]);
  // The hostile requests sign out and change data, so they use a separate account.
  const { cookies } = await world.account();
  const timed = async (request: Omit<HostileRequest, 'name'>): Promise<number> => {
    let shortest = Infinity;
    for (let i = 0; i < MAX_TRIES; i++) {
      const start = performance.now();
      await ask(url, cookies, request);
      shortest = Math.min(shortest, performance.now() - start);
    }
    return shortest;
  };
  let [worst, slowest, asked] = [0, 0, 0];
  let name = '';
  for (const requests of hostileRequests(document, { list, contact: rows[0]!.id })) {
    const plain = new Map<number, number>();
    for (const request of requests) {
      const text = request.body();
      const length = Buffer.byteLength(text);
      const body = () => `{"x":"${'plain text '.repeat(length / 11)}"}`;
      if (!plain.has(length)) plain.set(length, await timed({ ...request, body }));
      const took = await timed({ ...request, body: () => text });
      const ratio = took / Math.max(MIN_MS, plain.get(length)!);
      if (ratio > worst) [worst, name] = [ratio, request.name];
      slowest = Math.max(slowest, took);
      asked++;
    }
  }
  return [figure('12c', worst, name), info('slowest answer to a body', slowest, 'ms', `of ${asked} bodies`)];
};

/** Goal 12d: response times for a known and an unknown address, alternately. */
export const addresses: Scenario = async ({ world, parameter }) => {
  const samples = parameter('samples', 120);
  const { rows } = await world.db.query<{ email: string }>('select email from users where id = $1', [world.userId]);
  const calls = {
    'failed sign-in': ['/api/auth/login', { password: 'not this one' }],
    'forgotten password': ['/api/auth/forgot-password', {}],
  } as const;
  const off: number[] = [];
  const details: string[] = [];
  for (const [what, [path, fields]] of Object.entries(calls)) {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let i = 0; i < samples; i++)
      for (const kind of i % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const email = kind === 'known' ? rows[0]!.email : `nobody-${randomUUID()}@attack.test`;
        const start = performance.now();
        const answer = await fetch(world.env.APP_URL! + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...fields, email }),
        });
        await answer.text();
        times[kind].push(performance.now() - start);
      }
    const [known, unknown] = [median(times.known), median(times.unknown)];
    off.push(Math.abs(known - unknown) / Math.max(known, unknown));
    details.push(`${what} ${known.toFixed(1)} and ${unknown.toFixed(1)} ms`);
  }
  return [figure('12d', Math.max(...off), `known and unknown: ${details.join(', ')}`)];
};
