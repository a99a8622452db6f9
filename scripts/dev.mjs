// `npm run dev`: the product with hot reload of both halves, on one address.
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt(['backend']);
  return runOnBundledNode('backend/embedded/supervisor.ts', ['--dev']);
});
