// `npm run load`: autocannon against two web instances and two workers behind a real nginx; LOAD_SECONDS (30) for each measurement.
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNginx } from './lib/nginx.mjs';
import { BUNDLED_NODE, ROOT } from './lib/paths.mjs';
import { main, Refusal } from './lib/say.mjs';
import { secondStage } from './lib/stage.mjs';

await main(async () => {
  process.env.NGINX_PATH = findNginx() ?? '';
  if (!process.env.NGINX_PATH) throw new Refusal('The load is sent through a real nginx, and none was found. Get one with `apt-get install nginx-light`.');
  await ensureInstalled();
  await ensureBuilt();
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  return secondStage('scripts/second/run-with-services.mjs', [BUNDLED_NODE, '--experimental-vm-modules', jest, '--config', join(ROOT, 'backend', 'jest.load.config.js'), ...process.argv.slice(2)]);
});
