// `npm run load [-- OPTIONS]`: load through a real nginx onto two web instances and a worker (backend/load/main.ts
// lists the options). With `taskset` and a second core, the product and its database run on core 0; the clients and the
// mail sink run on core 1.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNginx } from './lib/programs.mjs';
import { BUNDLED_NODE, ROOT } from './lib/paths.mjs';
import { run, withBin } from './lib/run.mjs';
import { main, CliError } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';

const canPin =
  !process.argv.includes('--no-pin') &&
  availableParallelism() > 1 &&
  spawnSync('taskset', ['-c', '0,1', 'true']).status === 0;

await main(async () => {
  process.env.NGINX_PATH = findNginx() ?? '';
  if (!process.env.NGINX_PATH)
    throw new CliError(
      'The load is sent through a real nginx, and none was found. Get one with `apt-get install nginx-light`.',
    );
  await ensureInstalled();
  await ensureBuilt();
  const swc = join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const code = await run(
    BUNDLED_NODE,
    [swc, 'load', 'bench', 'test/kit', 'test/cluster/kit', '-d', 'dist', '--config-file', '.swcrc', '--quiet'],
    { cwd: join(ROOT, 'backend'), env: withBin(), stdio: 'inherit' },
  );
  if (code !== 0) return code;
  if (canPin) {
    process.env.LOAD_PINNED = '1';
    // Processes that are started from here on run on core 0 by default.
    spawnSync('taskset', ['-a', '-c', '-p', '0', String(process.pid)]);
  }
  const generator = canPin ? ['taskset', '-c', '1', BUNDLED_NODE] : [BUNDLED_NODE];
  return runOnBundledNode('scripts/bundled/run-with-services.mjs', [
    ...generator,
    join(ROOT, 'backend', 'dist', 'load', 'main.js'),
    ...process.argv.slice(2),
  ]);
});
