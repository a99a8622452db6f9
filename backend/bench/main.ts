import { writeFileSync } from 'node:fs';
import { table, type Figure } from './goals.js';
import { ProductProcess, SinkProcess } from './processes.js';
import { SCENARIOS } from './scenarios.js';
import { World } from './world.js';

// `npm run bench [-- --rounds 3 --size 10000 --large 100000 --only speed,dkim --json FILE]`; the goals are guide/performance.md's.
const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise);
};
const [rounds, size, large] = [Number(option('rounds', '3')), Number(option('size', '10000')), Number(option('large', '100000'))];
const only = option('only', Object.keys(SCENARIOS).join()).split(',');
const figures: Figure[] = [];
const failures: string[] = [];

const sink = await SinkProcess.start();
for (const name of only) {
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`${name} is none of ${Object.keys(SCENARIOS).join(', ')}`);
  // A database each: no scenario reads what another left behind.
  const world = await World.create(sink.url);
  const web = await ProductProcess.start('web', world.env);
  try {
    await world.register();
    const found = await scenario({ world, sink, rounds, size, large });
    figures.push(...found);
    process.stderr.write(`${name}\n${table(found).split('\n').slice(1).join('\n')}\n`);
  } catch (error) {
    failures.push(`${name}: ${(error as Error).stack}`);
  } finally {
    await sink.set({});
    await web.stop();
    await world.close();
  }
}

process.stdout.write(`\n${table(figures)}\n`);
for (const failure of failures) process.stdout.write(`\nfailed: ${failure}\n`);
writeFileSync(option('json', 'bench.json'), `${JSON.stringify({ at: new Date(), rounds, size, large, figures, failures }, null, 2)}\n`);
process.exit(failures.length > 0 ? 1 : 0);
