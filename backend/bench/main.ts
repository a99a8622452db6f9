import { writeFileSync } from 'node:fs';
import { figure, info, median, table, type Figure } from './goals.js';
import { ProductProcess, SinkProcess } from './processes.js';
import { bareRate, productRate, withWorker } from './rates.js';
import { DKIM_PEM, World } from './world.js';

// `npm run bench [-- --rounds 3 --size 10000 --only speed,dkim --json FILE]`
const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise);
};
const rounds = Number(option('rounds', '3'));
const size = Number(option('size', '10000'));
const only = option('only', '').split(',').filter(Boolean);
const figures: Figure[] = [];
const add = (...more: Figure[]): void => {
  figures.push(...more);
  process.stderr.write(`${table(more).split('\n').slice(1).join('\n')}\n`);
};
const wanted = (name: string): boolean => only.length === 0 || only.includes(name);

const sink = await SinkProcess.start();
const world = await World.create(sink.url);
const web = await ProductProcess.start('web', world.env);
await world.register();

if (wanted('speed')) await speed();
if (wanted('dkim')) await dkim();

process.stdout.write(`\n${table(figures)}\n`);
writeFileSync(option('json', 'bench.json'), `${JSON.stringify({ at: new Date(), rounds, size, figures }, null, 2)}\n`);
await web.stop();
await world.close();
process.exit(0);

/** Goals 1, 2: interleaved rounds, so that a busy neighbour slows all alike. */
async function speed(): Promise<void> {
  const list = await world.list(size);
  const rates = { n: [] as number[], own: [] as number[], product: [] as number[] };
  await withWorker(world, async () => {
    for (let round = 0; round < rounds; round++) {
      rates.n.push(await bareRate(sink, { kind: 'nodemailer', messages: 5000, connections: 10 }));
      rates.own.push(await bareRate(sink, { kind: 'own', messages: size, connections: 10 }));
      rates.product.push(await productRate(world, sink, list));
    }
  });
  const against = (others: number[]): number => median(rates.product.map((rate, i) => rate / others[i]!));
  add(figure('1', against(rates.n)), figure('2', against(rates.own)), info('own renderer and transport alone', median(rates.own), '/s'), info('nodemailer pool 10, composing', median(rates.n), '/s'), info('product, delivered and logged', median(rates.product), '/s'));
}

async function dkim(): Promise<void> {
  const list = await world.list(Math.min(size, 5000), 'Signed');
  const signing = { DKIM_DOMAIN: 'bench.test', DKIM_SELECTOR: 'bench', DKIM_PRIVATE_KEY: DKIM_PEM };
  const rates = { n: [] as number[], product: [] as number[] };
  await withWorker(world, async () => {
    for (let round = 0; round < rounds; round++) {
      rates.n.push(await bareRate(sink, { kind: 'nodemailer', messages: 2000, connections: 10, dkim: DKIM_PEM }));
      rates.product.push(await productRate(world, sink, list));
    }
  }, signing);
  add(figure('5', median(rates.product.map((rate, i) => rate / rates.n[i]!))), info('nodemailer pool with DKIM', median(rates.n), '/s'), info('product with DKIM', median(rates.product), '/s'));
}
