// Removes the temporary folder of a test run once the run has ended, for whatever reason: the pipe from the run to this
// process then closes.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stopOrphans } from '../../../backend/embedded/processes/orphans.ts';

const home = process.argv[2];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.stdin.resume().once('close', () => void clean());

async function clean() {
  for (const name of readdirSync(home)) await stopOrphans(join(home, name, 'pids'));
  // A browser that is closing may still write.
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      rmSync(home, { recursive: true, force: true });
      break;
    } catch {
      await pause(100);
    }
  }
  process.exit();
}
