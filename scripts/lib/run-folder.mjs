import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readText, writeWhole } from './files.mjs';
import { identityOf, stillRuns } from './identity.mjs';
import { say } from './say.mjs';

const PREFIX = 'staffcast-run-';
const OWNER = 'owner.json';
/**
 * A run writes its owner right after creating its folder. A folder without an owner counts as abandoned after this
 * time.
 */
const OWNERLESS_AFTER_MS = 60_000;
const END_TIMEOUT_MS = 5_000;

/**
 * Creates the folder for the temporary files of one test run, which passes it to its processes as TMPDIR. All that they
 * leave is then in one place, and the processes can be found by the folder's name in their environment or command line.
 * First removes what interrupted runs left.
 * @returns {Promise<{ path: string, close: () => Promise<Process[]> }>} `close` is `removeRun` for this folder
 */
export async function openRunFolder(parent = tmpdir()) {
  for (const path of abandoned(parent)) {
    say(`Removing what an interrupted test run left in ${path}`);
    await removeRun(path, 0);
  }
  const path = mkdtempSync(join(parent, PREFIX));
  // The same mode as the system's folder for temporary files, because services that root starts run as another user.
  chmodSync(path, 0o1777);
  writeWhole(join(path, OWNER), JSON.stringify({ pid: process.pid, identity: identityOf(process.pid) }));
  return { path, close: () => removeRun(path, END_TIMEOUT_MS) };
}

/**
 * Kills the processes of a run that do not end by themselves within `graceMs`, prints them, and removes the folder.
 * @returns the processes that were killed
 */
export async function removeRun(path, graceMs) {
  const end = Date.now() + graceMs;
  while (processesOf(path).length > 0 && Date.now() < end) await sleep(100);
  const left = processesOf(path);
  for (const { pid, command } of left) {
    say(`Still running at the end of the test run, killed: ${pid} ${command}`);
    kill(pid);
  }
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  } catch (error) {
    say(`The test run's folder ${path} could not be removed: ${error.message}`);
  }
  return left;
}

/** Folders of runs whose process is gone. */
function abandoned(parent) {
  return readdirSync(parent)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(parent, name))
    .filter((path) => {
      const owner = readText(join(path, OWNER));
      return owner === undefined ? isOld(path) : !stillRuns(JSON.parse(owner));
    });
}

function isOld(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs < Date.now() - OWNERLESS_AFTER_MS;
}

/**
 * The processes that name a folder in their environment or command line; empty if the system has no /proc.
 * @typedef {{ pid: number, command: string }} Process
 * @returns {Process[]}
 */
export function processesOf(path) {
  return processIds()
    .filter((pid) => pid !== process.pid && identityOf(pid) !== undefined)
    .map((pid) => ({ pid, command: read(pid, 'cmdline'), environment: read(pid, 'environ') }))
    .filter(({ command, environment }) => command.includes(path) || environment.includes(path))
    .map(({ pid, command }) => ({ pid, command: command.replaceAll('\0', ' ').trim().slice(0, 120) }));
}

function processIds() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Returns '' for a process that has ended or belongs to another user. */
const read = (pid, name) => readText(`/proc/${pid}/${name}`) ?? '';

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}
