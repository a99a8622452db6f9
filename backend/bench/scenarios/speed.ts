import { loadavg } from 'node:os';
import { figure, info, median } from '../goals/goals.js';
import { bare, bareRate, productRate, withWorker } from '../rates.js';
import type { Scenario } from '../scenario.js';
import { DKIM_PEM } from '../machine.js';

export const byRound = (products: number[], others: number[]): number =>
  median(products.map((rate, i) => rate / others[i]!));

/**
 * Goals 1, 2 and 14. Rounds are interleaved, so that other load slows all variants equally. A first send, which is not
 * measured, warms up the worker.
 */
export const speed: Scenario = async ({ world, sink, rounds, size }) => {
  const list = await world.list(size);
  const n: number[] = [];
  const own: number[] = [];
  const ownCost: number[] = [];
  const product: number[] = [];
  const statements: number[] = [];
  const cost: number[] = [];
  const peak = await withWorker(world, async (worker) => {
    await productRate(world, sink, list);
    for (let round = 0; round < rounds; round++) {
      n.push(await bareRate(sink, { kind: 'nodemailer', messages: 5000, connections: 10 }));
      const alone = await bare(sink, { kind: 'own', messages: size, connections: 10 });
      own.push(alone.rate);
      ownCost.push(alone.cost);
      const [before, spent] = [await world.statements(), worker.processorTime()];
      product.push(await productRate(world, sink, list));
      cost.push(((worker.processorTime() - spent) * 1e6) / size);
      statements.push((((await world.statements()) - before) * 500) / size);
    }
    if (process.env.BENCH_STATEMENTS) process.stderr.write(`${await world.statementTable()}\n`);
    return worker.peak();
  });
  return [
    figure('1', byRound(product, n)),
    figure('2', byRound(cost, ownCost), cost.map((one, i) => `${one.toFixed(0)}/${ownCost[i]!.toFixed(0)}`).join(', ')),
    figure('14', median(statements), 'pg_stat_statements, all that the worker ran'),
    info('nodemailer pool 10, composing', median(n), '/s'),
    info('own renderer and transport alone', median(own), '/s'),
    info('product, delivered and logged', median(product), '/s'),
    info('processor time of the worker, a message', median(cost), 'us'),
    info('the same of the bare transport', median(ownCost), 'us'),
    info('load average', loadavg()[0]!, ''),
    info('worker memory, peak', peak, 'MB'),
  ];
};

/** Goal 5: signed messages. */
export const dkim: Scenario = async ({ world, sink, rounds, size }) => {
  const list = await world.list(Math.min(size, 6000), 'Signed');
  const n: number[] = [];
  const product: number[] = [];
  await withWorker(
    world,
    async () => {
      for (let round = 0; round < rounds; round++) {
        n.push(await bareRate(sink, { kind: 'nodemailer', messages: 2500, connections: 10, dkim: DKIM_PEM }));
        product.push(await productRate(world, sink, list));
      }
    },
    { DKIM_DOMAIN: 'bench.test', DKIM_SELECTOR: 'bench', DKIM_PRIVATE_KEY: DKIM_PEM },
  );
  return [
    figure('5', byRound(product, n)),
    info('nodemailer pool with DKIM', median(n), '/s'),
    info('product with DKIM', median(product), '/s'),
  ];
};

/** Goal 4: a relay that takes 50 ms per message. */
export const latency: Scenario = async ({ world, sink, rounds, size }) => {
  const list = await world.list(Math.max(size, 8000), 'Slow relay');
  const smtp = new URL(world.env.SMTP_URL!);
  smtp.searchParams.set('connections', '50');
  const rates: number[] = [];
  await sink.set({ delayMs: 50 });
  await withWorker(
    world,
    async () => {
      for (let round = 0; round < rounds; round++) rates.push(await productRate(world, sink, list));
    },
    { SMTP_URL: smtp.href },
  );
  await sink.set({});
  return [figure('4', median(rates) / 1000), info('50 ms a message, 50 connections', median(rates), '/s')];
};
