// `npm run screenshots [-- FOLDER]`: takes screenshots of the demo's screens, for the docs.
import { ensureBuilt } from './lib/build.mjs';
import { findChromium } from './lib/programs.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main, CliError } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const chromium = findChromium();
  if (!chromium)
    throw new CliError('No Chromium was found. Get one with `apt-get install chromium`, or set CHROMIUM_PATH.');
  process.env.CHROMIUM_PATH = chromium;
  return runOnBundledNode('frontend/e2e/screenshots.ts');
});
