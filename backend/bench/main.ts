import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { table, type Figure } from './goals/goals.js';
import { RedisServer } from '../test/faults/kit/redis-server.js';
import { killWorkers, ProductProcess, SinkProcess } from './processes.js';
import { DEFAULT_SCENARIOS, SCENARIOS } from './scenarios.js';
import { World } from './world.js';

// `npm run bench [-- --rounds 3 --size 10000 --large 100000 --only speed,dkim --limit 15 --json FILE]`. The goals are
// in docs/benchmarks.md. `hostile` also takes --lists 80 --streams 100 --imports 5 --megabytes 100 --seconds 60. With
// --rounds 5 --large 1000000 a run takes about 25 minutes. --only selects scenarios; --limit is the time limit of one
// scenario in minutes.
const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise);
};
const [rounds, size, large] = [
  Number(option('rounds', '3')),
  Number(option('size', '10000')),
  Number(option('large', '100000')),
];
const only = option('only', DEFAULT_SCENARIOS.join()).split(',');
const limitMs = Number(option('limit', '15')) * 60_000;
const figures: Figure[] = [];
const failures: string[] = [];

const sink = await SinkProcess.start();
const redis = await RedisServer.start();
process.on('exit', () => void redis.kill());
for (const name of only) {
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`${name} is none of ${Object.keys(SCENARIOS).join(', ')}`);
  // Each scenario has its own database, so that scenarios do not affect each other.
  const world = await World.create(sink.url, { REDIS_URL: redis.url });
  const web = await ProductProcess.start('web', world.env);
  const late = new AbortController();
  try {
    await world.register();
    const tooLong = pause(limitMs, undefined, { signal: late.signal }).then(() =>
      Promise.reject(new Error(`not done after ${limitMs / 60_000} minutes`)),
    );
    tooLong.catch(() => undefined);
    const found = await Promise.race([
      scenario({
        world,
        sink,
        redis,
        web,
        rounds,
        size,
        large,
        parameter: (name, otherwise) => Number(option(name, String(otherwise))),
      }),
      tooLong,
    ]);
    figures.push(...found);
    process.stderr.write(`${name}\n${table(found).split('\n').slice(1).join('\n')}\n`);
  } catch (error) {
    failures.push(`${name}: ${(error as Error).stack}`);
  } finally {
    late.abort();
    await killWorkers();
    await sink.set({});
    await web.stop();
    await world.close();
  }
}

process.stdout.write(`\n${table(figures)}\n`);
for (const failure of failures) process.stdout.write(`\nfailed: ${failure}\n`);
writeFileSync(
  option('json', 'bench.json'),
  `${JSON.stringify({ at: new Date(), rounds, size, large, figures, failures }, null, 2)}\n`,
);
process.exit(failures.length > 0 ? 1 : 0);
