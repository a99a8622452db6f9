import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, filesIn, hashOf, readText, writeWhole } from './files.mjs';
import { waitForLock } from './lock.mjs';
import { BUNDLED_NODE, ROOT, STATE_DIR } from './paths.mjs';
import { run, withBin } from './run.mjs';
import { CliError, say } from './say.mjs';

const SWC = ['node_modules/@swc/cli/bin/swc.js'];
const VITE = ['node_modules/vite/bin/vite.js'];

/** The two workspaces: inputs, required outputs, and the build command. */
export const WORKSPACES = {
  backend: {
    inputs: ['src', 'migrations', 'seeders'],
    ignored: ['backend/src/metadata.ts'],
    output: 'dist/src/main.js',
    command: (folder) => [
      ...SWC,
      ...['src', 'migrations', 'seeders'].filter((name) => existsSync(join(folder, name))),
      '-d',
      'dist',
      '--config-file',
      '.swcrc',
      '--copy-files',
    ],
  },
  frontend: {
    inputs: ['src', 'public'],
    ignored: [],
    output: 'dist/index.html',
    command: () => [...VITE, 'build'],
  },
};

/** Builds the workspaces whose sources changed since the last build. */
export async function ensureBuilt(names = Object.keys(WORKSPACES), { force = false } = {}) {
  const lock = await waitForLock(join(ROOT, '.cache', 'build.lock'), (pid) =>
    say(`Another process (${pid}) is building; waiting for it …`),
  );
  try {
    for (const name of names) {
      if (force || isStale(name)) await build(name);
    }
  } finally {
    lock.release();
  }
}

/** Whether a workspace has to be rebuilt. */
export function isStale(name, root = ROOT, stateDir = STATE_DIR) {
  if (!existsSync(join(root, name, WORKSPACES[name].output))) return true;
  return readText(stampFile(name, stateDir)) !== sourceHash(name, root);
}

/** Hash of all inputs of a workspace. */
export function sourceHash(name, root = ROOT) {
  const folder = join(root, name);
  const { inputs, ignored } = WORKSPACES[name];
  const skipped = new Set(ignored.map((path) => join(root, path)));
  const files = [...filesIn(folder), ...inputs.flatMap((input) => filesBelow(join(folder, input)))].filter(
    (file) => !skipped.has(file),
  );
  return hashOf(files, [readText(join(root, 'package-lock.json')) ?? '']);
}

/** Removes a build's stamp, so that the next start builds the workspace again. */
export function forgetBuild(name, stateDir = STATE_DIR) {
  rmSync(stampFile(name, stateDir), { force: true });
}

async function build(name) {
  const started = Date.now();
  say(`Building the ${name} …`);
  const hash = sourceHash(name);
  forgetBuild(name);
  const folder = join(ROOT, name);
  const workspace = WORKSPACES[name];
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const [script, ...args] = workspace.command(folder);
  const code = await run(BUNDLED_NODE, [join(ROOT, script), ...args], {
    cwd: folder,
    env: { ...withBin(), NODE_ENV: 'production' },
    heartbeat: `Still building the ${name}`,
  });
  if (code !== 0) throw new CliError(`The ${name} could not be built: see the messages above.`);
  if (!existsSync(join(folder, workspace.output)))
    throw new CliError(`The build of the ${name} left no ${name}/${workspace.output}.`);
  writeWhole(stampFile(name), hash);
  say(`Built the ${name} in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

function stampFile(name, stateDir = STATE_DIR) {
  return join(stateDir, `build-${name}`);
}
