import { join } from 'node:path';
import { BUNDLED_NODE, ROOT } from './paths.mjs';
import { run, withBin } from './run.mjs';

/**
 * Runs a command's main part on the bundled Node and returns its exit code. Through the IPC channel, the child notices
 * when this process is killed.
 */
export function runOnBundledNode(file, args = process.argv.slice(2)) {
  return run(BUNDLED_NODE, ['--disable-warning=ExperimentalWarning', join(ROOT, file), ...args], {
    cwd: ROOT,
    env: withBin(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}
