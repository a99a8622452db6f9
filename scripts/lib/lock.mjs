import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWhole } from './files.mjs';
import { identityOf, stillRuns } from './identity.mjs';

/**
 * Takes a lock file unless a living process holds it; takes over the lock of a dead holder. `share` names a child that
 * keeps the lock if its holder is killed.
 * @param {string} path
 * @returns {{ held: true, release: () => void, share: (pid: number) => void } | { held: false, pid: number }}
 */
export function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  const mine = recordOf(process.pid);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(mine));
  try {
    for (;;) {
      if (linked(draft, path)) return heldLock(path, mine);
      const theirs = read(path);
      if (theirs === undefined) continue;
      const holder = parse(theirs);
      if (holder && (stillRuns(holder) || stillRuns(holder.child))) return { held: false, pid: holder.pid };
      removeStale(path, theirs);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Waits for a lock; calls `onWait` once with the holder's pid.
 * @param {string} path
 * @param {(pid: number) => void} onWait
 */
export async function waitForLock(path, onWait) {
  let told = false;
  for (;;) {
    const lock = tryLock(path);
    if (lock.held) return lock;
    if (!told) onWait(lock.pid);
    told = true;
    await sleep(200);
  }
}

function heldLock(path, mine) {
  return {
    held: true,
    release: () => release(path, mine),
    share: (pid) => writeWhole(path, JSON.stringify({ ...mine, child: recordOf(pid) })),
  };
}

function recordOf(pid) {
  return { pid, identity: identityOf(pid) };
}

/** Creates the lock by a hard link, which appears atomically, so that nobody reads a half-written lock. */
function linked(draft, path) {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Two processes may find the same stale lock. If a process has moved away a fresh lock, it restores that lock. */
function removeStale(path, expected) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (read(aside) !== expected) linked(aside, path);
  rmSync(aside, { force: true });
}

function release(path, mine) {
  const holder = parse(read(path) ?? '');
  if (holder?.pid === mine.pid && holder.identity === mine.identity) rmSync(path, { force: true });
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
