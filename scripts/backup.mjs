// `npm run backup -- FILE` and `npm run restore -- FILE`: saves and restores the whole database.
import { resolve } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';

const [verb, file, ...rest] = process.argv.slice(2);
// npm runs scripts in the root folder, but a relative FILE refers to the folder of the caller.
const target = file && resolve(process.env.INIT_CWD ?? process.cwd(), file);

await main(async () => {
  await ensureInstalled();
  await ensureBuilt(['backend']);
  return runOnBundledNode('scripts/bundled/admin.mjs', [verb, ...(target ? [target] : []), ...rest]);
});
