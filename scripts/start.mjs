// `npm start`: installs and builds what is outdated, then starts the supervisor on the bundled Node.
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return runOnBundledNode('backend/embedded/supervisor.ts');
});
