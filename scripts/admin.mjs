// `npm run admin -- …`: the app's command line, with the settings and the database of `npm start`.
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt(['backend']);
  return runOnBundledNode('scripts/bundled/admin.mjs');
});
