import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type BenchDocument, documentOf } from '../../documents.js';
import { figure, info, median, quantile, type Figure } from '../../goals/goals.js';
import { CONTENT, SUBJECT } from '../../message.js';
import type { Bench, Scenario } from '../../scenario.js';
import type { World } from '../../world.js';
import type { Writer, WritersOptions } from '../writers.js';

/** Interval between the saves of one writer, about as in the editor, which saves 1.5 s after the last change. */
const SAVE_EVERY_MS = 2_000;
const MARK = '#mark#';

/**
 * Goal 21: saves of drafts and templates at typing speed, by one writer and by 50; the list of templates; and accepting
 * a document against accepting plain text. The client runs in a separate process. Parameters: `--writers`,
 * `--kilobytes`, `--seconds`.
 */
export const drafts: Scenario = async (bench) => {
  const { world, parameter } = bench;
  const kilobytes = parameter('kilobytes', 240);
  const seconds = parameter('seconds', 30);
  const document = documentOf(kilobytes * 1024, 4);
  const writers = await Promise.all(Array.from({ length: parameter('writers', 50) }, () => writerOf(world, document)));
  const template = await templateOf(world, document, 'Saved');
  await saving(bench, [writers[0]!], document, 5);
  const alone = await saving(bench, [writers[0]!], document, seconds);
  const templates = await saving(bench, [template], document, seconds / 2);
  const many = await saving(bench, writers, document, seconds);
  return [
    figure(
      '21',
      quantile(many.times, 0.95),
      `${writers.length} writers, ${kilobytes} KB, one save each ${SAVE_EVERY_MS / 1000} s`,
    ),
    figure('21b', quantile(alone.times, 0.95), `median ${median(alone.times).toFixed(1)} ms`),
    figure('21c', quantile(templates.times, 0.95), `median ${median(templates.times).toFixed(1)} ms`),
    info('median save, 50 writers', median(many.times), 'ms', `${many.times.length} saves`),
    info('processor time of web a save', (many.cost * 1000) / many.times.length, 'ms'),
    await listing(world, documentOf(20 * 1024, 1)),
    ...(await accepting(world)),
  ];
};

async function saving(
  { world, web }: Bench,
  writers: Writer[],
  document: BenchDocument,
  seconds: number,
): Promise<{ times: number[]; cost: number }> {
  const marked = {
    ...document,
    content: [{ type: 'paragraph', content: [{ type: 'text', text: MARK }] }, ...document.content],
  };
  const [before, after] = JSON.stringify({ document: marked }).split(MARK) as [string, string];
  const options: WritersOptions = {
    url: world.env.APP_URL!,
    writers,
    body: [before, after],
    everyMs: writers.length === 1 ? SAVE_EVERY_MS / 10 : SAVE_EVERY_MS,
    seconds,
  };
  const child = fork(fileURLToPath(new URL('../writers.js', import.meta.url)));
  try {
    const spent = web.processorTime();
    child.send(JSON.stringify(options));
    const [times] = (await once(child, 'message')) as [number[]];
    for (const writer of writers) writer.version = await versionOf(writer, options.url);
    return { times, cost: web.processorTime() - spent };
  } finally {
    child.kill('SIGKILL');
  }
}

async function versionOf({ path, headers }: Writer, url: string): Promise<number> {
  const answer = await fetch(url + path, { headers });
  return ((await answer.json()) as { version: number }).version;
}

async function writerOf(world: World, document: BenchDocument): Promise<Writer> {
  const { call, cookies } = await world.account();
  const { id, version } = (await (await call('POST', '/api/drafts', { subject: 'Draft', document })).json()) as {
    id: string;
    version: number;
  };
  return { method: 'PUT', path: `/api/drafts/${id}`, headers: { Cookie: cookies }, version };
}

async function templateOf(world: World, document: BenchDocument, name: string): Promise<Writer> {
  const answer = await world.call('POST', '/api/email-templates', { name, document });
  const { id, version } = (await answer.json()) as { id: string; version: number };
  return { method: 'PATCH', path: `/api/email-templates/${id}`, headers: world.headers, version };
}

/** Response time of the Library with 200 templates. */
async function listing(world: World, document: BenchDocument): Promise<Figure> {
  for (let n = 1; n < 200; n++) await templateOf(world, document, `DevOps, Dallas ${n}`);
  await world.db.query('vacuum analyze email_templates');
  const times: number[] = [];
  for (let n = 0; n < 220; n++) {
    const start = performance.now();
    const found = (await (await world.call('GET', '/api/email-templates')).json()) as unknown[];
    if (found.length !== 200) throw new Error(`${found.length} templates`);
    if (n >= 20) times.push(performance.now() - start);
  }
  return figure('21d', quantile(times, 0.95), `median ${median(times).toFixed(1)} ms`);
}

/** Accepting a document of 100 KB and plain text for the same recipients, alternately. */
async function accepting(world: World): Promise<Figure[]> {
  const list = await world.list(500, 'Accepted');
  const document = documentOf(100 * 1024, 1);
  const [plain, rich]: [number[], number[]] = [[], []];
  const send = async (body: object, times: number[]): Promise<void> => {
    const start = performance.now();
    await world.call('POST', '/api/send-email', {
      emailListIds: [list],
      emailType: 'job-post',
      subject: `${SUBJECT} ${randomUUID()}`,
      ...body,
    });
    times.push(performance.now() - start);
  };
  for (let n = 0; n < 110; n++) {
    const turns = [() => send({ content: CONTENT }, plain), () => send({ document }, rich)];
    for (const turn of n % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  const p95 = (times: number[]): number => quantile(times.slice(10), 0.95);
  return [
    figure('21e', p95(rich) - p95(plain), `${p95(rich).toFixed(1)} and ${p95(plain).toFixed(1)} ms, 500 recipients`),
  ];
}
