// `npm run bench [-- OPTIONS]`: the product's speed against real PostgreSQL, Redis and an SMTP sink
// (backend/bench/main.ts lists the options).
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { BUNDLED_NODE, ROOT } from './lib/paths.mjs';
import { run, withBin } from './lib/run.mjs';
import { main } from './lib/say.mjs';
import { runOnBundledNode } from './lib/stage.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt(['backend']);
  const swc = join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const code = await run(
    BUNDLED_NODE,
    [
      swc,
      'bench',
      'test/kit',
      'test/cluster/kit',
      'test/faults/kit',
      '-d',
      'dist',
      '--config-file',
      '.swcrc',
      '--quiet',
    ],
    { cwd: join(ROOT, 'backend'), env: withBin(), stdio: 'inherit' },
  );
  if (code !== 0) return code;
  process.env.MEASURED_SERVICES = '1';
  return runOnBundledNode('scripts/bundled/run-with-services.mjs', [
    BUNDLED_NODE,
    join(ROOT, 'backend', 'dist', 'bench', 'main.js'),
    ...process.argv.slice(2),
  ]);
});
