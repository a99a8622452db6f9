// OpenAPI drift check: regenerates the document and the client and compares them with the committed ones.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, forgetBuild } from './lib/build.mjs';
import { readText } from './lib/files.mjs';
import { BUNDLED_NODE, ROOT } from './lib/paths.mjs';
import { run, withBin } from './lib/run.mjs';
import { main, CliError, say } from './lib/say.mjs';

const GENERATED = ['openapi/openapi.json', 'frontend/src/api/endpoints.gen.ts'];

await main(async () => {
  const before = GENERATED.map((path) => readText(join(ROOT, path)));
  await regenerate();
  const stale = GENERATED.filter((path, i) => readText(join(ROOT, path)) !== before[i]);
  if (stale.length === 0) return say('The OpenAPI document and the generated client are up to date.');
  throw new CliError(
    `Out of date: ${stale.join(' and ')}.\nThe check has just generated ${stale.length > 1 ? 'them' : 'it'} anew: ` +
      'look at the difference and commit it (`npm run openapi` does the same).',
  );
});

/** Building the document replaces the product's build, which is then restored. */
async function regenerate() {
  forgetBuild('backend');
  try {
    const npm = { cwd: ROOT, env: withBin(), shell: process.platform === 'win32' };
    if ((await run('npm', ['run', '--silent', 'openapi'], npm)) !== 0)
      throw new CliError('`npm run openapi` failed: see above.');
  } finally {
    if (existsSync(join(ROOT, 'backend', '.swcrc')) && existsSync(BUNDLED_NODE)) await ensureBuilt(['backend']);
  }
}
