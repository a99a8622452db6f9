// `npm run backup -- FILE` and `npm run restore -- FILE`: the whole database, out and back.
import { resolve } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';
import { secondStage } from './lib/stage.mjs';

const [verb, file, ...rest] = process.argv.slice(2);
// npm runs scripts in the root folder; a relative FILE is meant from where the person stands.
const target = file && resolve(process.env.INIT_CWD ?? process.cwd(), file);

await main(async () => {
  await ensureInstalled();
  await ensureBuilt(['backend']);
  return secondStage('scripts/second/admin.mjs', [verb, ...(target ? [target] : []), ...rest]);
});
