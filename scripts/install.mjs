// `npm run setup`: installs what is missing, and the git hook that formats and lints committed files.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from './lib/install.mjs';
import { ROOT } from './lib/paths.mjs';
import { main } from './lib/say.mjs';

await main(async () => {
  await ensureInstalled();
  // Without a .git folder here, the hook would be installed into a repository that contains this folder.
  if (!existsSync(join(ROOT, '.git'))) return;
  const { default: hooks } = await import('simple-git-hooks');
  await hooks.setHooksFromConfig(ROOT, []);
});
