// `npm test [-- SUITE…]`: installs and builds what is outdated, then runs the suites on the bundled Node.
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';
import { needsBuild } from './lib/suites.mjs';

await main(async () => {
  await ensureInstalled();
  if (needsBuild(process.argv.slice(2))) await ensureBuilt();
  return runOnBundledNode('scripts/bundled/test.mjs');
});
