import { join } from 'node:path';
import { BUNDLED_NODE, ROOT } from './paths.mjs';
import { run, withBin } from './run.mjs';

/**
 * Runs the second stage of a command on the bundled Node and gives its exit code.
 * The channel between the two lets the second stage notice that the first was killed.
 */
export function secondStage(file, args = process.argv.slice(2)) {
  return run(BUNDLED_NODE, ['--disable-warning=ExperimentalWarning', join(ROOT, file), ...args], {
    cwd: ROOT,
    env: withBin(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}
