// `npm run screenshots [-- FOLDER]`: pictures of the demo's screens, for the docs.
import { ensureBuilt } from './lib/build.mjs';
import { findChromium } from './lib/chromium.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main, Refusal } from './lib/say.mjs';
import { secondStage } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const chromium = findChromium();
  if (!chromium) throw new Refusal('No Chromium was found. Get one with `apt-get install chromium`, or set CHROMIUM_PATH.');
  process.env.CHROMIUM_PATH = chromium;
  return secondStage('frontend/e2e/screenshots.ts');
});
