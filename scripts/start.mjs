// `npm start`: installs and builds what is stale, then hands over to the supervisor on the bundled Node.
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';
import { secondStage } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return secondStage('backend/embedded/supervisor.ts');
});
