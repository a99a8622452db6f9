import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';

/** How to run PostgreSQL's programs, which refuse to run as root. */
export interface RunAs {
  uid?: number | undefined;
  gid?: number | undefined;
  /**
   * Folder of PostgreSQL's files: the requested folder, or one under /var/lib if the user that runs PostgreSQL could
   * not reach the requested one.
   */
  home: string;
  native: string;
  wrap(program: string, args: string[]): { command: string; args: string[] };
}

const plain = (program: string, args: string[]) => ({ command: program, args });
const IN_NAMESPACE = ['--user', '--map-user=1000', '--map-group=1000'];

/**
 * Chooses the user that PostgreSQL runs as, since it refuses to run as root. An ordinary user runs it directly. Root
 * runs it as an unprivileged user of a user namespace or, if namespaces are forbidden, as the owner of the data or as
 * `nobody`.
 */
export function runAs(home: string, native: string, namespaces = canUseNamespaces): RunAs {
  if (process.getuid?.() !== 0) return { home, native, wrap: plain };
  const owner = ownerOf(home);
  if (owner.uid === 0 && namespaces()) {
    return {
      home,
      native,
      wrap: (program, args) => ({ command: 'unshare', args: [...IN_NAMESPACE, program, ...args] }),
    };
  }
  const { uid, gid } = owner.uid === 0 ? nobody() : owner;
  const reachable = reachableHome(home);
  mkdirSync(reachable, { recursive: true });
  chownRecursively(reachable, uid, gid);
  return { uid, gid, home: reachable, native: readableNative(native, uid, gid), wrap: plain };
}

function canUseNamespaces(): boolean {
  return spawnSync('unshare', [...IN_NAMESPACE, 'true']).status === 0;
}

function ownerOf(path: string): { uid: number; gid: number } {
  return existsSync(path) ? statSync(path) : { uid: 0, gid: 0 };
}

function nobody(): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u') || 65534, gid: id('-g') || 65534 };
}

/** The folder itself if other users can traverse all of its parents, else a folder under /var/lib. */
function reachableHome(home: string): string {
  for (let folder = dirname(home); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) {
      return join('/var/lib/staffcast', createHash('sha256').update(home).digest('hex').slice(0, 12));
    }
  }
  return home;
}

function chownRecursively(folder: string, uid: number, gid: number): void {
  if (statSync(folder).uid === uid) return;
  for (const entry of readdirSync(folder, { recursive: true })) chownSync(join(folder, String(entry)), uid, gid);
  chownSync(folder, uid, gid);
}

/** Folder of PostgreSQL's programs; a copy if the user cannot read the checkout. */
function readableNative(native: string, uid: number, gid: number): string {
  if (runsAs(native, uid, gid)) return native;
  const copy = join('/var/lib/staffcast', `native-${createHash('sha256').update(native).digest('hex').slice(0, 12)}`);
  if (!runsAs(copy, uid, gid)) {
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    chmodSync('/var/lib/staffcast', 0o755);
  }
  return copy;
}

function runsAs(native: string, uid: number, gid: number): boolean {
  return spawnSync(join(native, 'bin', 'postgres'), ['--version'], { uid, gid }).status === 0;
}
