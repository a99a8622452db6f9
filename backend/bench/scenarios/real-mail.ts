import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { figure, info, median, type Figure } from '../goals/goals.js';
import { CONTENT, SUBJECT } from '../message.js';
import { ProductProcess, type SinkProcess } from '../processes.js';
import { seen, withWorker } from '../rates.js';
import type { Scenario } from '../scenario.js';
import { knowHosted, PROVIDER_MIX, PROVIDERS, RATES } from './providers.js';

const KILLS = 10;
const LEARNING_MS = 30_000;
const LIMITED = Object.keys(RATES);

/** Number of messages to a provider that the sink has accepted. */
const accepted = async (sink: SinkProcess, provider: string): Promise<number> =>
  (await sink.counts()).byProvider[provider]?.accepted ?? 0;

/**
 * Goal 8d: like `kill`, while four providers enforce rates and have backlogs. After each kill, all of them have to
 * receive mail again.
 */
export const killProviders: Scenario = async ({ world, sink }) => {
  const count = 60_000;
  const list = await world.listOf(count, PROVIDER_MIX, 'Killed');
  await knowHosted(world);
  await sink.reset();
  await sink.set({ perSecond: RATES, providers: PROVIDERS });
  let worker = await ProductProcess.start('worker', world.workerEnv);
  const { id } = await world.send(list);
  await seen(sink, 1);
  await pause(LEARNING_MS);
  const slowest: number[] = [];
  for (let n = 0; n < KILLS; n++) {
    await worker.stop('SIGKILL');
    await pause(200);
    const before = (await sink.counts()).byProvider;
    const start = Date.now();
    worker = await ProductProcess.start('worker', world.workerEnv);
    const times = await Promise.all(
      LIMITED.map(async (provider) => {
        while ((await accepted(sink, provider)) <= (before[provider]?.accepted ?? 0)) {
          if (Date.now() - start > 120_000) throw new Error(`${provider} got nothing for two minutes`);
          await pause(20);
        }
        return (Date.now() - start) / 1000;
      }),
    );
    slowest.push(Math.max(...times));
    await pause(3_000);
  }
  // The sink now accepts the rest at once, but the learned rates have to rise first.
  await sink.set({ providers: PROVIDERS });
  await world.settled(id);
  await worker.stop();
  const { distinct } = await sink.counts();
  return [
    figure(
      '8d',
      Math.max(...slowest),
      `the slowest provider of each: ${slowest.map((one) => one.toFixed(1)).join(', ')}`,
    ),
    figure('8e', count - distinct, JSON.stringify(await world.statuses(id))),
    info('the same, median', median(slowest), 's'),
    info('load average', loadavg()[0]!, ''),
  ];
};

const SMALL_SENDS = 10;

/** Goal 11c: sends of 20 by another account, one after another, while the largest send is running. */
export const beside: Scenario = async ({ world, sink, large: count }) => {
  const list = await world.list(count, 'Largest');
  const other = await world.account();
  const lists = await Promise.all(
    Array.from({ length: SMALL_SENDS }, (_, i) =>
      world.listOf(20, [`small${i}.bench`], `Small ${i}`, { owner: other.userId }),
    ),
  );
  await sink.reset();
  // Setting any provider table makes the sink count by domain.
  await sink.set({ perSecond: {}, providers: {} });
  return withWorker(world, async (): Promise<Figure[]> => {
    const large = await world.send(list);
    await seen(sink, 2_000);
    const firsts: number[] = [];
    const wholes: number[] = [];
    for (const [i, small] of lists.entries()) {
      const asked = performance.now();
      await other.call('POST', '/api/send-email', {
        emailListIds: [small],
        subject: `${SUBJECT} small ${i}`,
        content: CONTENT,
        emailType: 'job-post',
      });
      const until = async (messages: number): Promise<number> => {
        while ((await accepted(sink, `small${i}.bench`)) < messages) {
          if (performance.now() - asked > 120_000) throw new Error('a small send got nothing for two minutes');
          await pause(10);
        }
        return (performance.now() - asked) / 1000;
      };
      firsts.push(await until(1));
      wholes.push(await until(20));
      await pause(500);
    }
    const { messages } = await sink.counts();
    if (messages >= count) throw new Error(`the send of ${count} ended before the small ones: give a larger --large`);
    await world.settled(large.id);
    return [
      figure('11c', Math.max(...firsts), `each: ${firsts.map((one) => one.toFixed(2)).join(', ')}`),
      info('the same, median', median(firsts), 's'),
      info('the same, its last message, the slowest', Math.max(...wholes), 's'),
    ];
  });
};
