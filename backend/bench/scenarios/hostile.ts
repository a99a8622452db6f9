import { randomUUID } from 'node:crypto';
import { figure, info, quantile, type Figure } from '../goals/goals.js';
import { apiLoad, type Caller } from '../load.js';
import type { ProductProcess } from '../processes.js';
import { withWorker } from '../rates.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';
import { startAttack } from './attack-process.js';

const NEIGHBOURS = 5;
const REQUESTS_PER_SECOND = 50;

/**
 * One account does all expensive things at once: a send of 100,000 CJK characters to many lists, streams, large
 * imports, and one-letter searches of its largest list, 20 at a time, as often as the rate limit allows. Meanwhile
 * other accounts read their lists. The attack runs in a separate process, so that its own work does not count as
 * latency of the other accounts.
 */
export const hostile: Scenario = async ({ world, sink, web, large, parameter }) => {
  const [lists, streams, imports, megabytes, seconds] = [
    parameter('lists', 80),
    parameter('streams', 100),
    parameter('imports', 5),
    parameter('megabytes', 100),
    parameter('seconds', 60),
  ];
  const many: string[] = [];
  for (let i = 0; i < lists; i++)
    many.push(await world.listOf(50, [`people${i}.test`], `${'名'.repeat(180)} ${i}`, { analyze: false }));
  const others = await neighbours(world);
  const target = await world.list(0, 'Imported', { analyze: false });
  const searched = await world.list(large, 'Searched');
  await sink.reset();
  await sink.set({ delayMs: 100 });
  const figures = await withWorker(world, async (worker) => {
    await apiLoad(others.caller, others.paths, 3, REQUESTS_PER_SECOND);
    const idle = await apiLoad(others.caller, others.paths, 10, REQUESTS_PER_SECOND);
    const { id } = (await (
      await world.call('POST', '/api/send-email', {
        emailListIds: many,
        subject: `求人 ${randomUUID()}`,
        content: '求人情報です。'.repeat(14_285),
        emailType: 'job-post',
      })
    ).json()) as { id: string };
    const attack = await startAttack({
      url: world.env.APP_URL!,
      headers: world.headers,
      sendId: id,
      target,
      searched,
      streams,
      imports,
      megabytes,
    });
    const busy = await apiLoad(others.caller, others.paths, seconds, REQUESTS_PER_SECOND);
    const answers = await attack.end();
    return [
      ...judged(idle, busy, [web, worker], answers),
      info('of the send, messages out by then', (await sink.counts()).messages, '', `of ${lists * 50}`),
    ];
  });
  await sink.set({});
  return figures;
};

function judged(
  idle: number[],
  busy: number[],
  processes: [ProductProcess, ProductProcess],
  answers: Record<string, number>,
): Figure[] {
  const said = Object.entries(answers)
    .sort()
    .map(([what, n]) => `${what} ${n}`)
    .join(', ');
  const gone = processes.filter(({ child }) => child.exitCode !== null || child.signalCode !== null).length;
  return [
    figure(
      '22',
      quantile(busy, 0.99) / quantile(idle, 0.99),
      `p99 ${quantile(idle, 0.99).toFixed(1)} ms idle, ${quantile(busy, 0.99).toFixed(1)} ms; p50 ${quantile(idle, 0.5).toFixed(1)}, ${quantile(busy, 0.5).toFixed(1)}; longest ${Math.max(...busy).toFixed(0)}`,
    ),
    figure('22b', gone, said),
    info('web memory, peak', processes[0].peak(), 'MB'),
    info('worker memory, peak', processes[1].peak(), 'MB'),
  ];
}

/** Other accounts with one list each, and the calls that they make in turn. */
async function neighbours(world: World): Promise<{ caller: Caller; paths: string[] }> {
  const calls: (() => Promise<Response>)[] = [];
  for (let i = 0; i < NEIGHBOURS; i++) {
    const account = await world.account();
    const list = await world.list(1_000, `Neighbour ${i}`, { owner: account.userId, analyze: false });
    for (const path of [
      '/api/email-lists',
      `/api/email-lists/${list}/subscribers?limit=50`,
      `/api/email-lists/${list}/subscribers?limit=50&search=p7`,
      '/api/email-history?limit=20',
      '/api/auth/user',
    ]) {
      calls.push(() => account.call('GET', path));
    }
  }
  return { caller: { call: (_method, path) => calls[Number(path)]!() }, paths: calls.map((_, n) => String(n)) };
}
