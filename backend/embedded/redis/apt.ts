import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../processes/command.ts';

const ALWAYS = ['redis-server', 'redis-tools'];
const NO_EXTRAS = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
  (kind) => `--no-${kind}`,
);

/** The library folders of an unpacked package tree. */
export function libraryPath(root: string): string {
  return ['usr/lib', 'lib']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [
      ...readdirSync(folder)
        .filter((name) => name.includes('linux-gnu'))
        .map((name) => join(folder, name)),
      folder,
    ])
    .join(':');
}

/**
 * Unpacks Debian's or Ubuntu's Redis package into a folder without installing it; needs no privileges.
 * @returns the reason if it fails, else undefined
 */
export async function unpackFromApt(
  target: string,
  say: (text: string) => void,
): Promise<{ ok: true } | { ok: false; reason: string }> {
  if (
    (await runCommand('apt-get', ['--version'])).code !== 0 ||
    (await runCommand('dpkg-deb', ['--version'])).code !== 0
  ) {
    return { ok: false, reason: 'this is no Debian or Ubuntu system' };
  }
  say("Fetching a Redis server from the system's package source (about 1.5 MB, once) …");
  mkdirSync(dirname(target), { recursive: true });
  const work = mkdtempSync(join(dirname(target), 'unpack-'));
  try {
    let failure = await unpack(work, ['-o', 'APT::Sandbox::User=']);
    if (failure) failure = await unpackWithOwnLists(work);
    if (failure) return { ok: false, reason: failure };
    rmSync(target, { recursive: true, force: true });
    renameSync(join(work, 'root'), target);
    return { ok: true };
  } catch (error) {
    return existsSync(target) ? { ok: true } : { ok: false, reason: String(error) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Unpacks with separate package lists, for systems whose own lists are missing, outdated or not writable by this user.
 */
async function unpackWithOwnLists(work: string): Promise<string | undefined> {
  for (const folder of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(work, folder), { recursive: true });
  const options = [
    '-o',
    `Dir::State::lists=${join(work, 'lists')}`,
    '-o',
    `Dir::Cache=${join(work, 'cache')}`,
    '-o',
    'APT::Sandbox::User=',
    '-o',
    'Debug::NoLocking=1',
  ];
  const update = await runCommand('apt-get', [...options, 'update']);
  const failure = await unpack(work, options);
  return failure && `${failure} (apt-get update: ${lastLine(update.output)})`;
}

async function unpack(work: string, options: string[]): Promise<string | undefined> {
  const packages = await neededPackages(options);
  if (packages.length === 0) return 'redis-server is not in the package lists';
  const debs = join(work, 'debs');
  rmSync(debs, { recursive: true, force: true });
  mkdirSync(debs);
  const download = await runCommand('apt-get', [...options, 'download', ...packages], { cwd: debs });
  if (download.code !== 0) return lastLine(download.output);
  for (const deb of readdirSync(debs)) {
    const { code, output } = await runCommand('dpkg-deb', ['-x', join(debs, deb), join(work, 'root')]);
    if (code !== 0) return lastLine(output);
  }
  return undefined;
}

/** Names of the packages to unpack: Redis, and those of its libraries that are not installed. */
async function neededPackages(options: string[]): Promise<string[]> {
  const tree = await runCommand('apt-cache', [...options, 'depends', '--recurse', ...NO_EXTRAS, 'redis-server']);
  const names = tree.output
    .split('\n')
    .filter((line) => /^[a-z0-9]/.test(line))
    .map((line) => line.trim().split(':')[0]!);
  if (tree.code !== 0 || !names.includes('redis-server')) return [];
  const listed = await runCommand('dpkg-query', ['-W', '-f', '${db:Status-Abbrev} ${Package}\n']);
  const installed = new Set(
    listed.output
      .split('\n')
      .filter((line) => line.startsWith('ii'))
      .map((line) => line.split(/\s+/)[1]),
  );
  return [...new Set(names)].filter(
    (name) => ALWAYS.includes(name) || (/^(lib|lua)/.test(name) && !installed.has(name)),
  );
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
