// `npm run dev`: the product at one URL, with hot reload of backend and frontend.
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt(['backend']);
  return runOnBundledNode('backend/embedded/supervisor.ts', ['--dev']);
});
