// `npm run load [-- OPTIONS]`: load through a real nginx onto two web instances and a worker (backend/load/main.ts lists the options).
// With `taskset` and a second core the product and its database get core 0, what calls them and takes their mail core 1.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNginx } from './lib/nginx.mjs';
import { BUNDLED_NODE, ROOT } from './lib/paths.mjs';
import { run, withBin } from './lib/run.mjs';
import { main, Refusal } from './lib/say.mjs';
import { secondStage } from './lib/stage.mjs';

const canPin = !process.argv.includes('--no-pin') && availableParallelism() > 1 && spawnSync('taskset', ['-c', '0,1', 'true']).status === 0;

await main(async () => {
  process.env.NGINX_PATH = findNginx() ?? '';
  if (!process.env.NGINX_PATH) throw new Refusal('The load is sent through a real nginx, and none was found. Get one with `apt-get install nginx-light`.');
  await ensureInstalled();
  await ensureBuilt();
  const swc = join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const code = await run(BUNDLED_NODE, [swc, 'load', 'bench', 'test/kit', 'test/cluster/kit', '-d', 'dist', '--config-file', '.swcrc', '--quiet'], { cwd: join(ROOT, 'backend'), env: withBin(), stdio: 'inherit' });
  if (code !== 0) return code;
  if (canPin) {
    process.env.LOAD_PINNED = '1';
    // What is started from here on is on core 0, unless it is told otherwise.
    spawnSync('taskset', ['-a', '-c', '-p', '0', String(process.pid)]);
  }
  const generator = canPin ? ['taskset', '-c', '1', BUNDLED_NODE] : [BUNDLED_NODE];
  return secondStage('scripts/second/run-with-services.mjs', [...generator, join(ROOT, 'backend', 'dist', 'load', 'main.js'), ...process.argv.slice(2)]);
});
