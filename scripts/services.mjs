// `npm run services -- COMMAND …`: runs a command with a throw-away PostgreSQL and Redis (TEST_DATABASE_URL, TEST_REDIS_URL).
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  return runOnBundledNode('scripts/bundled/run-with-services.mjs');
});
