// `npm run test:faults [-- JEST OPTIONS]`: the fault suite, with FAULT_SEEDS (1) seeds starting at FAULT_SEED (1).
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { BUNDLED_NODE, ROOT } from './lib/paths.mjs';
import { main } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt(['backend']);
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  return runOnBundledNode('scripts/bundled/run-with-services.mjs', [
    BUNDLED_NODE,
    '--experimental-vm-modules',
    jest,
    '--config',
    join(ROOT, 'backend', 'jest.faults.config.js'),
    ...process.argv.slice(2),
  ]);
});
