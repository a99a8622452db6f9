import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { figure, info, median, quantile } from '../goals/goals.js';
import { apiLoad } from '../load.js';
import { seen, withWorker } from '../rates.js';
import type { Scenario } from '../scenario.js';
import { byRound } from './speed.js';

/** Goal 12: 100 calls a second of the lists, a page of contacts and the history. */
export const api: Scenario = async ({ world, sink, size }) => {
  const list = await world.list(Math.max(size, 60_000), 'While reading');
  const paths = [
    '/api/email-lists',
    `/api/email-lists/${list}/subscribers?limit=50`,
    '/api/email-history?limit=20',
    '/api/auth/user',
  ];
  await apiLoad(world, paths, 10);
  const idle = await apiLoad(world, paths, 8);
  await sink.reset();
  const busy = await withWorker(world, async () => {
    const { id } = await world.send(list);
    await seen(sink, 500);
    let ended = false;
    const end = world.settled(id).then(() => (ended = true));
    const times = await apiLoad(world, paths, () => !ended);
    await end;
    return times;
  });
  return [
    figure('12', quantile(busy, 0.99) / quantile(idle, 0.99), `idle p99 ${quantile(idle, 0.99).toFixed(1)} ms`),
    figure('12b', quantile(busy, 0.99)),
    info('API p50 idle', quantile(idle, 0.5), 'ms'),
    info('API p50 while sending', quantile(busy, 0.5), 'ms'),
  ];
};

/** Goal 9: a CSV with duplicates and rejected lines, against COPY of the same rows into the same table. */
export const imports: Scenario = async ({ world, rounds }) => {
  const count = 50_000;
  const ours: number[] = [];
  const copied: number[] = [];
  await withWorker(world, async () => {
    for (let round = 0; round < rounds; round++) {
      const list = (
        (await (await world.call('POST', '/api/email-lists', { name: `Import ${round}` })).json()) as { id: string }
      ).id;
      const tag = randomUUID().slice(0, 8);
      const lines = Array.from({ length: count }, (_, i) =>
        i % 1000 === 7 ? 'not an address,X' : `i${i % 997 === 3 ? i - 1 : i}@${tag}${i % 50}.test,Person ${i}`,
      );
      const start = performance.now();
      const { id } = (await (
        await world.call(
          'POST',
          `/api/email-lists/${list}/subscribers/import`,
          `email,name\n${lines.join('\n')}\n`,
          'text/csv',
        )
      ).json()) as { id: string };
      for (let state = ''; state !== 'done'; await pause(20))
        state = (
          (await (await world.call('GET', `/api/email-lists/${list}/subscribers/import/${id}`)).json()) as {
            status: string;
          }
        ).status;
      ours.push((count * 1000) / (performance.now() - start));
      copied.push(await world.copyRate(count));
    }
  });
  return [
    figure('9', byRound(ours, copied)),
    info('import', median(ours), 'rows/s'),
    info('COPY into the table', median(copied), 'rows/s'),
  ];
};

/**
 * Goal 10: expanding five lists with the same people, against a single INSERT statement. One worker expands all chunks.
 * It has expanded another send before, so that it is warmed up.
 */
export const layout: Scenario = async ({ world, sink, rounds, size }) => {
  const lists: string[] = [];
  for (let i = 0; i < 5; i++) lists.push(await world.list(Math.max(size, 60_000), `Five ${i}`));
  const ratios: number[] = [];
  const rates: number[] = [];
  const chunks: string[] = [];
  const laidOut = async (): Promise<string> => {
    const { id } = await world.send(...lists);
    while ((await world.db.query('select 1 from send_layouts where history_id = $1', [id])).rowCount) await pause(2);
    return id;
  };
  await sink.set({ refuse: true });
  for (let round = 0; round < rounds; round++) {
    const id = await withWorker(world, async () => {
      await laidOut();
      const measured = await laidOut();
      const { rows } = await world.db.query<{ rate: number; chunks: string }>(
        `select (sum(n) / extract(epoch from clock_timestamp() - min(at)))::float8 as rate, string_agg(n::text, ' ' order by at) as chunks
         from (select created_at as at, count(*) as n from email_delivery_logs where history_id = $1 group by 1) c`,
        [measured],
      );
      rates.push(rows[0]!.rate);
      chunks.push(rows[0]!.chunks);
      return measured;
    });
    ratios.push(rates[round]! / (await world.bareLayoutRate(lists, id)));
    await world.db.query('delete from email_history');
  }
  await sink.set({});
  return [
    figure('10', median(ratios), "from the first chunk's start to the last one's end"),
    info('rows laid out', median(rates), '/s', `chunks of ${chunks.join(' | ')}`),
  ];
};
