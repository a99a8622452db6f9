import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BareCopies } from '../bare-copies.js';
import { type ImportedKind, withFile } from '../files.js';
import { figure, info, median, quantile, type Figure } from '../goals/goals.js';
import { apiLoad } from '../load.js';
import { withWorker } from '../rates.js';
import type { Bench, Scenario } from '../scenario.js';
import type { World } from '../world.js';

/** Durations in seconds of the stages of an import. */
interface Stages {
  id: string;
  read: number;
  check: number;
  commit: number;
}

/**
 * An import through all stages, with the calls of its screens. `--rows` (50,000) is the size of the import in each
 * round, `--large` the size of the largest files.
 */
export const wholeImports: Scenario = async (bench) => {
  const { world, size, large, parameter } = bench;
  await world.db.query(
    `insert into profile_fields (owner_id, key, label, type, options, position) values ($1, 'tier', 'Tier', 'text', '[]', 1)`,
    [world.userId],
  );
  const ratios = await besideCopies(bench, parameter('rows', 50_000));
  const figures: Figure[] = [...ratios];
  const peaks: number[] = [];
  for (const [kind, goal] of [
    ['csv', 'memory-csv'],
    ['xlsx', 'memory-xlsx'],
  ] as const) {
    const small = await alone(world, kind, size);
    const largest = await alone(world, kind, large, kind === 'csv');
    peaks.push(small.peak, largest.peak);
    figures.push(
      ...(kind === 'xlsx'
        ? [figure('xlsx', large / largest.read, `${large} rows in ${largest.read.toFixed(0)} s`)]
        : []),
      figure(
        goal,
        largest.peak / small.peak,
        `${large} / ${size}: ${largest.peak.toFixed(0)} and ${small.peak.toFixed(0)} MB`,
      ),
      info(
        `${large} rows, ${kind}: read, checked, committed`,
        largest.read + largest.check + largest.commit,
        's',
        stagesOf(largest, large),
      ),
      ...largest.figures,
    );
    figures
      .slice(-4)
      .forEach(({ goal: of, name, value, detail }) => process.stderr.write(`${of} ${name}: ${value} ${detail}\n`));
  }
  return [...figures, figure('memory', Math.max(...peaks))];
};

const stagesOf = ({ read, check, commit }: Stages, rows: number): string =>
  Object.entries({ read, check, commit })
    .map(([stage, seconds]) => `${stage} ${seconds.toFixed(1)} s (${(rows / seconds).toFixed(0)}/s)`)
    .join(', ');

/** In each round, one import, and then bare COPY of the rows that it wrote. */
async function besideCopies({ world, rounds }: Bench, count: number): Promise<Figure[]> {
  const other = (await world.account()).userId;
  const [checks, commits, rates, copied]: [number[], number[], Stages[], number[][]] = [[], [], [], []];
  await BareCopies.with(world, (copies) =>
    withWorker(world, async () => {
      for (let round = -1; round < rounds; round++) {
        const list = await newList(world);
        let staging = 0;
        const stages = await imported(world, {
          kind: 'csv',
          count,
          list,
          checked: async (id) => void (staging = await copies.intoStaging(id)),
        });
        const contacts = await copies.intoContacts(stages.id, other);
        await emptied(world, list);
        if (round < 0) continue;
        rates.push(stages);
        copied.push([staging, contacts]);
        checks.push(count / stages.check / staging);
        commits.push(count / stages.commit / contacts);
      }
    }),
  );
  const each = (values: number[]): string => values.map((one) => one.toFixed(2)).join(', ');
  return [
    figure('import-check', median(checks), each(checks)),
    figure('import-commit', median(commits), each(commits)),
    info('import, read, CSV', count / median(rates.map(({ read }) => read)), 'rows/s'),
    info('import, check', count / median(rates.map(({ check }) => check)), 'rows/s'),
    info('import, commit', count / median(rates.map(({ commit }) => commit)), 'rows/s'),
    info('COPY into staging', median(copied.map(([one]) => one!)), 'rows/s'),
    info('COPY into profiles and memberships', median(copied.map(([, one]) => one!)), 'rows/s'),
  ];
}

/**
 * Runs one import by a separate worker. With `isLoaded`, also measures the API before and during the import.
 * @returns the stages, the worker's peak memory in MB, and the figures of the API
 */
async function alone(
  world: World,
  kind: ImportedKind,
  count: number,
  isLoaded = false,
): Promise<Stages & { peak: number; figures: Figure[] }> {
  const list = await newList(world);
  const paths = ['/api/email-lists', '/api/contacts?limit=50', '/api/imports', '/api/auth/user'];
  const idle = isLoaded ? await apiLoad(world, paths, 8) : [];
  const found = await withWorker(world, async (worker) => {
    let [isOver, busy]: [boolean, Promise<number[]>] = [false, Promise.resolve([])];
    const read = async (): Promise<void> => {
      if (!isLoaded) return;
      busy = apiLoad(world, paths, () => !isOver);
      // Prevents an unhandled rejection; the error is thrown where `busy` is awaited.
      busy.catch(() => undefined);
    };
    const stages = await imported(world, { kind, count, list, read }).finally(() => (isOver = true));
    return { ...stages, peak: worker.peak(), busy: await busy };
  });
  await emptied(world, list);
  const ratio = isLoaded ? quantile(found.busy, 0.99) / quantile(idle, 0.99) : 0;
  return {
    ...found,
    figures: isLoaded
      ? [
          figure(
            'import-api',
            ratio,
            `check and commit of ${count} rows; p99 ${quantile(found.busy, 0.99).toFixed(0)}, idle ${quantile(idle, 0.99).toFixed(1)} ms`,
          ),
        ]
      : [],
  };
}

interface Imported {
  kind: ImportedKind;
  count: number;
  list: string;
  read?: () => Promise<void>;
  checked?: (id: string) => Promise<void>;
}

async function imported(world: World, { kind, count, list, read, checked }: Imported): Promise<Stages> {
  await world.db.query('delete from import_usage');
  const { id, received } = await withFile({ kind, count, tag: randomUUID().slice(0, 8) }, (file, name) =>
    upload(world, file, name),
  );
  await until(world, id, 'mapping');
  const readAt = performance.now();
  await world.call('PATCH', `/api/imports/${id}`, { listId: list });
  await read?.();
  const checkFrom = performance.now();
  await world.call('POST', `/api/imports/${id}/check`);
  await until(world, id, 'ready');
  const check = (performance.now() - checkFrom) / 1000;
  await checked?.(id);
  const commitFrom = performance.now();
  await world.call('POST', `/api/imports/${id}/commit`);
  await until(world, id, 'done');
  return { id, read: (readAt - received) / 1000, check, commit: (performance.now() - commitFrom) / 1000 };
}

async function upload(world: World, file: Blob, name: string): Promise<{ id: string; received: number }> {
  const form = new FormData();
  form.append('file', file, name);
  const answer = await fetch(`${world.env.APP_URL}/api/imports`, {
    method: 'POST',
    headers: { ...world.headers, Origin: world.env.APP_URL! },
    body: form,
  });
  if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
  return { id: ((await answer.json()) as { id: string }).id, received: performance.now() };
}

async function until(world: World, id: string, wanted: string): Promise<void> {
  for (;;) {
    const { rows } = await world.db.query<{ status: string; error: string | null }>(
      'select status, error from contact_imports where id = $1',
      [id],
    );
    const { status, error } = rows[0]!;
    if (status === wanted) return;
    if (status === 'failed') throw new Error(`the import failed: ${error}`);
    await pause(15);
  }
}

async function newList(world: World): Promise<string> {
  const answer = await world.call('POST', '/api/email-lists', { name: `Imported ${randomUUID().slice(0, 8)}` });
  return ((await answer.json()) as { id: string }).id;
}

/** Deletes the rows of a round, so that each round starts with equally full tables. */
async function emptied(world: World, list: string): Promise<void> {
  await world.db.query('delete from email_lists where id = $1', [list]);
  await world.db.query('delete from contact_profiles where owner_id = $1', [world.userId]);
  await world.db.query('vacuum contact_profiles, subscriptions');
}
