import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { figure, info, quantile, type Figure } from '../goals.js';
import { apiLoad, type Caller } from '../load.js';
import type { ProductProcess } from '../processes.js';
import { withWorker } from '../rates.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const NEIGHBOURS = 5;
const PER_SECOND = 50;
const SEARCHES = 20;

/**
 * One account does all at once that costs much: a send of 100,000 CJK characters to many lists, streams, large imports, one-letter
 * searches of its largest list, 20 every second. Others read their lists meanwhile. The limits of requests are off, so it is held back
 * by what the parts themselves allow.
 */
export const hostile: Scenario = async ({ world, sink, web, large, parameter }) => {
  const [lists, streams, imports, megabytes, seconds] = [parameter('lists', 80), parameter('streams', 100), parameter('imports', 5), parameter('megabytes', 100), parameter('seconds', 60)];
  const many: string[] = [];
  for (let i = 0; i < lists; i++) many.push(await world.listOf(50, [`people${i}.test`], `${'名'.repeat(180)} ${i}`, { analyze: false }));
  const others = await neighbours(world);
  const target = await world.list(0, 'Imported', { analyze: false });
  const searched = await world.list(large, 'Searched');
  await sink.reset();
  await sink.set({ delayMs: 100 });
  const figures = await withWorker(world, async (worker) => {
    await apiLoad(others.caller, others.paths, 3, PER_SECOND);
    const idle = await apiLoad(others.caller, others.paths, 10, PER_SECOND);
    const ended = new AbortController();
    const answers = new Map<string, number>();
    const count = (what: string) => void answers.set(what, (answers.get(what) ?? 0) + 1);
    const { id } = (await (await world.call('POST', '/api/send-email', { emailListIds: many, subject: `求人 ${randomUUID()}`, content: '求人情報です。'.repeat(14_285), emailType: 'job-post' })).json()) as { id: string };
    const attack = Promise.all([
      ...Array.from({ length: streams }, () => stream(world, id, ended.signal, count)),
      ...uploads(world, target, imports, megabytes, ended.signal, count),
      searches(world, searched, ended.signal, count),
    ]);
    const busy = await apiLoad(others.caller, others.paths, seconds, PER_SECOND);
    ended.abort();
    await attack;
    return [...judged(idle, busy, [web, worker], answers), info('of the send, messages out by then', (await sink.counts()).messages, '', `of ${lists * 50}`)];
  });
  await sink.set({});
  return figures;
};

function judged(idle: number[], busy: number[], processes: [ProductProcess, ProductProcess], answers: ReadonlyMap<string, number>): Figure[] {
  const said = [...answers].sort().map(([what, n]) => `${what} ${n}`).join(', ');
  const gone = processes.filter(({ child }) => child.exitCode !== null || child.signalCode !== null).length;
  return [
    figure('22', quantile(busy, 0.99) / quantile(idle, 0.99), `p99 ${quantile(idle, 0.99).toFixed(1)} ms idle, ${quantile(busy, 0.99).toFixed(1)} ms; p50 ${quantile(idle, 0.5).toFixed(1)}, ${quantile(busy, 0.5).toFixed(1)}; longest ${Math.max(...busy).toFixed(0)}`),
    figure('22b', gone, said), info('web memory, peak', processes[0].peak(), 'MB'), info('worker memory, peak', processes[1].peak(), 'MB'),
  ];
}

/** Other accounts with a list each, which call in turn. */
async function neighbours(world: World): Promise<{ caller: Caller; paths: string[] }> {
  const calls: (() => Promise<Response>)[] = [];
  for (let i = 0; i < NEIGHBOURS; i++) {
    const account = await world.account();
    const list = await world.list(1_000, `Neighbour ${i}`, { owner: account.userId, analyze: false });
    for (const path of ['/api/email-lists', `/api/email-lists/${list}/subscribers?limit=50`, `/api/email-lists/${list}/subscribers?limit=50&search=p7`, '/api/email-history?limit=20', '/api/auth/user']) {
      calls.push(() => account.call('GET', path));
    }
  }
  return { caller: { call: (_method, path) => calls[Number(path)]!() }, paths: calls.map((_, n) => String(n)) };
}

/** One live view of a send; one that is refused is tried again a second later. */
async function stream(world: World, id: string, signal: AbortSignal, count: (what: string) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await fetch(`${world.env.APP_URL}/api/email-history/${id}/progress`, { headers: { ...world.headers, Accept: 'text/event-stream' }, signal });
      count(`stream ${answer.status}`);
      await answer.text();
    } catch {
      if (!signal.aborted) count('stream cut');
    }
    await pause(1_000);
  }
}

/** Files that are sent at once; a line is as long as a sheet of a million rows and of this size has them. */
function uploads(world: World, list: string, files: number, megabytes: number, signal: AbortSignal, count: (what: string) => void): Promise<void>[] {
  const lines = Array.from({ length: megabytes * 10_000 }, (_, i) => `i${i}@bulk${i % 50}.test,${'Name '.repeat(14)}${i}`);
  const file = Buffer.from(`email,name\n${lines.join('\n')}\n`);
  return Array.from({ length: files }, async () => {
    try {
      const answer = await fetch(`${world.env.APP_URL}/api/email-lists/${list}/subscribers/import`, { method: 'POST', headers: { ...world.headers, 'Content-Type': 'text/csv' }, body: file, signal });
      count(`import ${answer.status}`);
      await answer.text();
    } catch {
      count(signal.aborted ? 'import not answered' : 'import cut');
    }
  });
}

async function searches(world: World, list: string, signal: AbortSignal, count: (what: string) => void): Promise<void> {
  const waves: Promise<unknown>[] = [];
  for (let wave = 0; !signal.aborted; wave++) {
    const letters = Array.from({ length: SEARCHES }, (_, i) => String.fromCharCode(97 + ((wave + i) % 26)));
    waves.push(...letters.map((letter) => fetch(`${world.env.APP_URL}/api/email-lists/${list}/subscribers?limit=50&search=${letter}`, { headers: world.headers, signal })
      .then(async (answer) => (count(`search ${answer.status}`), answer.text())).catch(() => undefined)));
    await pause(1_000);
  }
  await Promise.all(waves);
}
