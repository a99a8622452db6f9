// `npm run admin -- …`: the app's own command line, with the settings and the database that `npm start` uses.
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';
import { secondStage } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt(['backend']);
  return secondStage('scripts/second/admin.mjs');
});
