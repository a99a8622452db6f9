import { writeFileSync } from 'node:fs';
import { figure, info, quantile, type Figure } from '../goals/goals.js';
import type { People } from '../people.js';
import { type Explained, explained, foreignScans } from '../plans.js';
import type { Bench } from '../scenario.js';
import type { World } from '../world.js';

interface Count {
  count: number;
  approximate: boolean;
}
type Rule = { field: string; operator: string; value?: unknown };
interface Filter {
  combinator: 'and' | 'or';
  rules: (Rule | Filter)[];
}

const CALLS_PER_ROUND = 4;
/** Errors of estimates have a goal only from this number of people on. */
const LARGE_LIST_CONTACTS = 10_000;

/** Counts by filters with five rules about fields, tags, lists and activity, as the segment builder requests them. */
export async function counts({ world, parameter }: Bench, people: People): Promise<Figure[]> {
  const filters = filtersOf(people);
  const times: number[] = [];
  let [calls, estimates] = [0, 0];
  for (let round = -1; round < parameter('calls', CALLS_PER_ROUND); round++)
    for (const filter of filters) {
      const start = performance.now();
      const { approximate } = await countBy(world, filter);
      if (round < 0) continue;
      times.push(performance.now() - start);
      calls += 1;
      if (approximate) estimates += 1;
    }
  return [
    figure(
      'count',
      quantile(times, 0.95),
      `${people.count} contacts; p50 ${quantile(times, 0.5).toFixed(0)} ms; ${estimates} of ${calls} answers were estimates`,
    ),
    ...(await statements(world, filters, people)),
  ];
}

/** The statements behind the counts: durations and errors of estimates, and what their plans read. */
async function statements(world: World, filters: readonly Filter[], people: People): Promise<Figure[]> {
  const timed = await explained(world, false, (origin) =>
    each([...filters, ...furtherFilters(people)], (filter) => countBy(world, filter, origin)),
  );
  const analyzed = await explained(world, true, (origin) =>
    each(filters, (filter) => countBy(world, filter, origin, true)),
  );
  if (!timed || !analyzed) return [info('estimates and plans: no log of the server here', 0, '')];
  const ofCounts = (found: readonly Explained[]) =>
    found.filter(({ text }) => /^select count\(\*\)[\s\S]*contact_profiles p where/.test(text));
  const estimating = ofCounts(timed).filter(isEstimate);
  const errors = await errorsOf(world, ofCounts([...analyzed, ...timed]));
  writeFileSync('bench-plans.json', `${JSON.stringify(ofCounts(analyzed), null, 1)}\n`);
  const foreign = [...ofCounts(analyzed), ...ofCounts(timed)].flatMap(({ plan }) => foreignScans(plan));
  const perCall = [...groupsOf(estimating)];
  return [
    figure(
      'estimate',
      quantile(perCall, 0.95),
      `both statements of ${perCall.length} estimates beside the exact count`,
    ),
    ...(errors.length > 0
      ? [
          figure(
            'estimate-error',
            quantile(errors, 0.95),
            `${errors.length} results; median ${quantile(errors, 0.5).toFixed(1)} %`,
          ),
        ]
      : []),
    figure(
      'foreign-rows',
      foreign.length,
      [...new Set(foreign)].join(', ') || 'EXPLAIN (ANALYZE, BUFFERS) in bench-plans.json',
    ),
  ];
}

const isEstimate = ({ text }: Explained): boolean => /get_byte\(p\.email_hash, 0\) = any/.test(text);

/** Total duration in ms of the statements of each estimate, grouped by their values. */
function groupsOf(found: readonly Explained[]): number[] {
  const byFilter = new Map<string, number>();
  for (const { whole, ms } of found) {
    const key = /p\.owner_id = [\s\S]*?get_byte\(p\.email_hash, 0\)/.exec(whole)?.[0] ?? whole;
    byFilter.set(key, (byFilter.get(key) ?? 0) + ms);
  }
  return [...byFilter.values()];
}

/**
 * Errors of estimates: runs the statement of each exact count again, for all contacts and for the buckets of the
 * estimate.
 * @returns errors in per cent
 */
async function errorsOf(world: World, found: readonly Explained[]): Promise<number[]> {
  const buckets = found.flatMap(
    ({ text }) => /get_byte\(p\.email_hash, 0\) = any \(array\[([\d, ]+)\]\)/.exec(text)?.[1] ?? [],
  )[0];
  if (!buckets) return [];
  const scale = 256 / buckets.split(',').length;
  const conditions = new Set(
    found
      .filter(isEstimate)
      .flatMap(
        ({ whole }) =>
          /contact_profiles p where ([\s\S]*) and get_byte\(p\.email_hash, 0\)[^)]*\]\)$/.exec(whole.trim())?.[1] ?? [],
      ),
  );
  const errors: number[] = [];
  for (const condition of conditions) {
    const { rows } = await world.db.query<{ n: number; near: number }>(
      `select count(*)::int as n, (count(*) filter (where get_byte(p.email_hash, 0) = any (array[${buckets}])))::int as near from contact_profiles p where ${condition}`,
    );
    const { n, near } = rows[0]!;
    if (n >= LARGE_LIST_CONTACTS) errors.push((Math.abs(near * scale - n) * 100) / n);
  }
  return errors;
}

async function each(filters: readonly Filter[], act: (filter: Filter) => Promise<unknown>): Promise<void> {
  for (const filter of filters) await act(filter);
}

async function countBy(world: World, filter: Filter, origin = world.env.APP_URL!, exact = false): Promise<Count> {
  const answer = await fetch(`${origin}/api/segments/count`, {
    method: 'POST',
    headers: { ...world.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ filter, ...(exact && { exact }) }),
  });
  if (!answer.ok) throw new Error(`count: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Count;
}

const field = (key: string, operator: string, value: unknown): Rule => ({ field: `field.${key}`, operator, value });
const mailed = (operator: string, value?: number): Rule => ({ field: 'mailed', operator, ...(value && { value }) });
const all = (...rules: Filter['rules']): Filter => ({ combinator: 'and', rules });
const any = (...rules: Filter['rules']): Filter => ({ combinator: 'or', rules });
const tagging =
  (tags: readonly number[]) =>
  (operator: string, ...which: number[]): Rule => ({
    field: 'tags',
    operator,
    value: which.map((at) => String(tags[at])),
  });
const listing =
  (lists: readonly string[]) =>
  (operator: string, state: string, ...which: number[]): Rule => ({
    field: 'list',
    operator,
    value: { values: which.map((at) => lists[at]), state },
  });

/** Filters with results of many sizes, for the error of estimates. */
function furtherFilters({ lists, tags }: People): Filter[] {
  const [tagged, listed] = [tagging(tags), listing(lists)];
  return tags.map((_, at) =>
    all(
      field('tier', 'isNoneOf', ['none']),
      field('rate', 'gte', 40 + at),
      tagged('anyOf', at),
      listed('anyOf', 'confirmed', at % 2),
      mailed('notLastDays', 5 + at),
    ),
  );
}

/** Filters whose results range from a few thousand people to nearly everybody. */
function filtersOf({ lists, tags }: People): Filter[] {
  const [tagged, listed] = [tagging(tags), listing(lists)];
  return [
    all(
      field('tier', 'isOneOf', ['gold', 'silver']),
      field('rate', 'gte', 60),
      tagged('anyOf', 15, 16, 17),
      listed('anyOf', 'confirmed', 0),
      mailed('notLastDays', 7),
    ),
    all(
      field('tier', 'isNoneOf', ['none']),
      field('rate', 'between', [40, 110]),
      tagged('noneOf', 0, 1),
      listed('anyOf', 'confirmed', 0, 1, 2),
      mailed('notLastDays', 7),
    ),
    all(
      field('tier', 'isOneOf', ['gold']),
      { field: 'region', operator: 'isOneOf', value: ['TX', 'OK'] },
      tagged('anyOf', 19),
      listed('anyOf', 'confirmed', 0, 1),
      mailed('lastDays', 30),
    ),
    all(
      field('since', 'gte', '2022-01-01'),
      field('rate', 'lt', 100),
      tagged('anyOf', 10, 11, 12, 13, 14),
      listed('noneOf', 'any', 2),
      mailed('atLeast', 5),
    ),
    any(
      field('tier', 'isOneOf', ['gold']),
      field('rate', 'gte', 110),
      tagged('allOf', 18, 19),
      listed('anyOf', 'confirmed', 2),
      mailed('lastDays', 3),
    ),
    all(
      { field: 'jobTitle', operator: 'contains', value: 'manager' },
      field('rate', 'gte', 50),
      any(tagged('anyOf', 5, 6), listed('anyOf', 'confirmed', 1)),
      mailed('never'),
    ),
    all(
      field('tier', 'isOneOf', ['gold', 'silver', 'bronze']),
      { field: 'consent', operator: 'isOneOf', value: ['mailable-job-posts'] },
      tagged('noneOf', 19),
      listed('anyOf', 'confirmed', 0),
      mailed('notLastDays', 14),
    ),
  ];
}
