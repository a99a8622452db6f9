import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, readText, writeWhole } from './files.mjs';
import { waitForLock } from './lock.mjs';
import { BUNDLED_NODE, ROOT, STATE_DIR } from './paths.mjs';
import { run } from './run.mjs';
import { Refusal, say } from './say.mjs';

const STAMP = join(STATE_DIR, 'install');
const PLATFORM = `${process.platform}-${process.arch}`;
const MANIFESTS = ['package-lock.json', 'package.json', 'backend/package.json', 'frontend/package.json'];

/** Refuses a Node that is too old even to begin. */
export function checkNode(version = process.versions.node) {
  if (Number(version.split('.')[0]) < 20) {
    throw new Refusal(`Staffcast needs Node 20 or newer to begin (this is ${version}). It then brings its own Node 24.`);
  }
}

/** Installs the dependencies where they differ from package-lock.json, and makes sure the bundled Node runs. */
export async function ensureInstalled() {
  checkNode();
  const stamp = installStamp();
  const earlier = readText(STAMP);
  if (earlier === stamp && existsSync(BUNDLED_NODE)) return;
  const lock = await waitForLock(join(ROOT, '.cache', 'install.lock'), (pid) =>
    say(`Another start (process ${pid}) is installing; waiting for it …`));
  try {
    if (readText(STAMP) === stamp && existsSync(BUNDLED_NODE)) return;
    if (!samePlatform(earlier) || !installedByHand()) await install();
    await ensureBundledNode();
    writeWhole(STAMP, stamp);
  } finally {
    lock.release();
  }
}

/** What the installed packages depend on: the manifests, the platform. */
export function installStamp(root = ROOT) {
  const files = MANIFESTS.map((name) => join(root, name)).filter((path) => existsSync(path));
  const contents = files.map((path) => readText(path) ?? '');
  return `${PLATFORM} ${hashOf([], contents)}`;
}

/** A checkout shared between two systems holds the other one's binaries. */
function samePlatform(stamp) {
  return stamp === undefined || stamp.startsWith(`${PLATFORM} `);
}

/** Whether `npm ci` was run by hand: npm's own record then lists every package of the lockfile. */
export function installedByHand(root = ROOT) {
  const wanted = parse(join(root, 'package-lock.json'))?.packages;
  const present = parse(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link || entry.optional || entry.devOptional) return true;
    return present[path]?.version === entry.version && existsSync(join(root, path));
  });
}

async function install() {
  say('Installing the dependencies: one to three minutes the first time.');
  const args = ['--no-audit', '--no-fund', '--include=dev'];
  const options = { cwd: ROOT, heartbeat: 'Still installing the dependencies', shell: process.platform === 'win32', env: installEnv() };
  if ((await run('npm', ['ci', ...args], options)) === 0) return;
  say('`npm ci` did not succeed; trying `npm install` …');
  if ((await run('npm', ['install', ...args], options)) === 0) return;
  throw new Refusal('The dependencies could not be installed: see npm\'s messages above. Is the npm registry reachable?');
}

/** A production environment would leave out what the build needs. */
function installEnv() {
  const { NODE_ENV: _ignored, ...env } = process.env;
  return env;
}

/** The bundled Node arrives by an install script, which some npm settings block. */
async function ensureBundledNode() {
  if (bundledVersion()) return;
  say('The bundled Node is not in place; repairing it …');
  await run('npm', ['rebuild', 'node'], { cwd: ROOT, shell: process.platform === 'win32' });
  if (bundledVersion()) return;
  throw new Refusal(
    'The bundled Node 24 (npm package `node`) is missing or does not run. Its install script may be blocked: '
    + 'run `npm rebuild node --ignore-scripts=false` and start again.');
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
