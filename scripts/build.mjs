// `npm run build`: builds the workspaces whose sources changed (`-- backend` or `-- frontend` builds only that one).
import { ensureBuilt, WORKSPACES } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';

await main(async () => {
  const names = process.argv.slice(2).filter((name) => name in WORKSPACES);
  await ensureInstalled();
  await ensureBuilt(names.length > 0 ? names : undefined);
});
