// Removes the temporary folder of a run of the journeys, when the run has ended in whatever way: its pipe to this process closes.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stopOrphans } from '../../../backend/embedded/processes/orphans.ts';

const home = process.argv[2];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.stdin.resume().once('close', () => void clean());

async function clean() {
  for (const name of readdirSync(home)) await stopOrphans(join(home, name, 'pids'));
  // A browser that ends may still write.
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
