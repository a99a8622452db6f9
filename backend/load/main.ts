import { writeFileSync } from 'node:fs';
import { calibration, largeList, signIn, webhooks } from './api-calls.js';
import { recovery, soak } from './endurance.js';
import { type Row, table } from './report.js';
import { accept, drain, fairness, reading, readingIdle, readingLimited } from './sending.js';

// Options of `npm run load [-- --only accept,drain --rounds 3 --seconds 60 --soak-minutes 3 --json FILE]`, which
// measures the whole deployment against its load targets.
export interface Options {
  /** Number of runs. The median run is reported. */
  rounds: number;
  /** Length in seconds of a run at a constant rate. */
  seconds: number;
  soakMinutes: number;
}

const PARTS: Record<string, (options: Options) => Promise<Row[]>> = {
  calibration,
  accept,
  drain,
  'reading-idle': readingIdle,
  reading,
  'reading-limited': readingLimited,
  'sign-in': signIn,
  list: largeList,
  webhooks,
  recovery,
  fairness,
  soak,
};

const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise);
};
const options: Options = {
  rounds: Number(option('rounds', '3')),
  seconds: Number(option('seconds', '60')),
  soakMinutes: Number(option('soak-minutes', '3')),
};
const only = option('only', Object.keys(PARTS).join()).split(',');
const found: Row[] = [];

for (const name of only) {
  const part = PARTS[name];
  if (!part) throw new Error(`${name} is none of ${Object.keys(PARTS).join(', ')}`);
  const started = Date.now();
  const rows = await part(options).catch((error: unknown): Row[] => [
    { what: name, measured: `failed: ${(error as Error).stack}`, target: '-', met: false },
  ]);
  found.push(...rows);
  process.stderr.write(
    `${name} (${Math.round((Date.now() - started) / 1000)} s)\n${table(rows).split('\n').slice(1).join('\n')}\n`,
  );
}

if (only.length > 1) process.stdout.write(`\n${table(found)}\n`);
const file = option('json', '');
if (file) writeFileSync(file, `${JSON.stringify({ at: new Date(), ...options, rows: found }, null, 2)}\n`);
process.exit(found.some(({ met }) => met === false) ? 1 : 0);
