import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, readText, writeWhole } from './files.mjs';
import { waitForLock } from './lock.mjs';
import { BUNDLED_NODE, ROOT, STATE_DIR } from './paths.mjs';
import { run } from './run.mjs';
import { CliError, say } from './say.mjs';

const STAMP_FILE = join(STATE_DIR, 'install');
const PLATFORM = `${process.platform}-${process.arch}`;
const MANIFESTS = ['package.json', 'backend/package.json', 'frontend/package.json'];
const ABOUT_PACKAGES = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'overrides',
  'workspaces',
  'allowScripts',
];
// npm would warn about packages that require a newer Node, although they run on the bundled one.
const NPM_FLAGS = ['--no-audit', '--no-fund', '--include=dev', '--loglevel=error'];

/** Refuses a Node version that cannot run the bootstrap. */
export function checkNode(version = process.versions.node) {
  if (Number(version.split('.')[0]) < 20) {
    throw new CliError(
      `Staffcast needs Node 20 or newer to begin (this is ${version}). It then brings its own Node 24.`,
    );
  }
}

/** Installs the dependencies if they differ from package-lock.json, and checks that the bundled Node runs. */
export async function ensureInstalled() {
  checkNode();
  const stamp = installStamp();
  const earlier = readText(STAMP_FILE);
  if (earlier === stamp && existsSync(BUNDLED_NODE)) return;
  const lock = await waitForLock(join(ROOT, '.cache', 'install.lock'), (pid) =>
    say(`Another start (process ${pid}) is installing; waiting for it …`),
  );
  try {
    if (readText(STAMP_FILE) === stamp && existsSync(BUNDLED_NODE)) return;
    if (earlier !== undefined || !installedByHand()) await install(lock.share);
    await ensureBundledNode();
    writeWhole(STAMP_FILE, stamp);
  } finally {
    lock.release();
  }
}

/** Hash of everything the installed packages depend on: the lockfile, the manifests' dependencies, the platform. */
export function installStamp(root = ROOT) {
  const said = manifestsOf(root).map((manifest) => JSON.stringify(ABOUT_PACKAGES.map((field) => manifest[field])));
  return `${PLATFORM} ${hashOf([], [readText(join(root, 'package-lock.json')) ?? '', ...said])}`;
}

/**
 * Whether `npm ci` was run by hand. npm's own record then contains every direct dependency, and no package in another
 * version than the lockfile. (npm omits some packages that the lockfile lists.)
 */
export function installedByHand(root = ROOT) {
  const locked = parse(join(root, 'package-lock.json'))?.packages;
  const present = parse(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!locked || !present) return false;
  const direct = manifestsOf(root).flatMap(({ dependencies, devDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies }),
  );
  return (
    direct.every((name) => Object.keys(present).some((path) => path.endsWith(`node_modules/${name}`))) &&
    Object.entries(present).every(
      ([path, entry]) => entry.link || (entry.version === locked[path]?.version && existsSync(join(root, path))),
    )
  );
}

function manifestsOf(root) {
  return MANIFESTS.map((name) => parse(join(root, name)) ?? {});
}

/** `share` passes the lock to npm's process, which would keep installing if this process were killed. */
async function install(share) {
  say('Installing the dependencies: one to three minutes the first time.');
  const options = {
    cwd: ROOT,
    heartbeat: 'Still installing the dependencies',
    shell: process.platform === 'win32',
    env: installEnv(),
    onSpawn: (child) => share(child.pid),
  };
  const code = await run('npm', ['ci', ...NPM_FLAGS], options);
  if (code === 0) return;
  if (code > 128) throw new CliError('The installation was interrupted; the next start takes it up again.');
  say('`npm ci` did not succeed; trying `npm install` into empty folders …');
  for (const folder of ['', 'backend', 'frontend'])
    rmSync(join(ROOT, folder, 'node_modules'), { recursive: true, force: true });
  if ((await run('npm', ['install', ...NPM_FLAGS], options)) === 0) return;
  throw new CliError(
    "The dependencies could not be installed: see npm's messages above. Is the npm registry reachable?",
  );
}

/**
 * Removes settings of a production environment, which would omit the build's dependencies, and stops one package from
 * reporting the installation to its makers.
 */
function installEnv() {
  const { NODE_ENV: _ignored, ...env } = process.env;
  return { ...env, SCARF_ANALYTICS: 'false' };
}

/** An install script provides the bundled Node, and some npm settings block install scripts. */
async function ensureBundledNode() {
  if (bundledVersion()) return;
  say('The bundled Node is not in place; repairing it …');
  await run('npm', ['rebuild', 'node'], { cwd: ROOT, shell: process.platform === 'win32' });
  if (bundledVersion()) return;
  throw new CliError(
    'The bundled Node 24 (npm package `node`) is missing or does not run. Its install script may be blocked: ' +
      'run `npm rebuild node --ignore-scripts=false` and start again.',
  );
}

function bundledVersion() {
  if (!existsSync(BUNDLED_NODE)) return undefined;
  const { stdout } = spawnSync(BUNDLED_NODE, ['--version'], { encoding: 'utf8' });
  return stdout?.startsWith('v24.') ? stdout.trim() : undefined;
}

function parse(path) {
  const text = readText(path);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
