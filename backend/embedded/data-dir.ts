import { accessSync, constants, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readText, writeWhole } from '../../scripts/lib/files.mjs';
import { identityOf, stillRuns } from '../../scripts/lib/identity.mjs';
import { tryLock } from '../../scripts/lib/lock.mjs';
import { CliError } from '../../scripts/lib/say.mjs';
import { stopOrphans } from './processes/orphans.ts';
import type { Addresses } from './services.ts';

/** URLs of a running stack, for other commands. Only the same user may read them, because they contain passwords. */
export interface RunFile extends Addresses {
  pid: number;
  identity: string;
  url: string;
  mailboxUrl?: string | undefined;
}

export interface DataDirLock {
  logDir: string;
  pidDir: string;
  release: () => void;
}

/** Locks the data folder for this process and stops processes that a killed run left running. */
export async function claimDataDir(dataDir: string, say: (text: string) => void): Promise<DataDirLock> {
  makeWritable(dataDir);
  const lock = tryLock(join(dataDir, 'lock'));
  if (!lock.held) {
    const url = readRunFile(dataDir)?.url;
    throw new CliError(
      `Staffcast already runs on the data folder ${dataDir} (process ${lock.pid}${url ? `, ${url}` : ''}).\n` +
        'Stop it first, or set DATA_DIR, PORT and MAILBOX_PORT to others for a second one.',
    );
  }
  const pidDir = join(dataDir, 'pids');
  const orphans = await stopOrphans(pidDir);
  if (orphans.length > 0) say(`Stopped what an earlier start had left running: ${orphans.join(', ')}.`);
  return { logDir: join(dataDir, 'logs'), pidDir, release: lock.release };
}

/** Opens the data folder without a lock, because without embedded parts several processes may share the folder. */
export function shareDataDir(dataDir: string): DataDirLock {
  makeWritable(dataDir);
  const pidDir = join(dataDir, `pids-${process.pid}`);
  return { logDir: join(dataDir, 'logs'), pidDir, release: () => rmSync(pidDir, { recursive: true, force: true }) };
}

/** Writes the run file, from which other commands read the URLs. */
export function writeRunFile(dataDir: string, file: Omit<RunFile, 'pid' | 'identity'>): void {
  const identity = identityOf(process.pid) ?? '';
  writeWhole(join(dataDir, 'run.json'), `${JSON.stringify({ pid: process.pid, identity, ...file }, null, 2)}\n`, 0o600);
}

/**
 * Reads the run file.
 * @returns undefined if there is none, or if the process that wrote it no longer runs
 */
export function readRunFile(dataDir: string): RunFile | undefined {
  const text = readText(join(dataDir, 'run.json'));
  const file = text === undefined ? undefined : (JSON.parse(text) as RunFile);
  return stillRuns(file) ? file : undefined;
}

export function removeRunFile(dataDir: string): void {
  rmSync(join(dataDir, 'run.json'), { force: true });
}

function makeWritable(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch {
    throw new CliError(`The data folder ${dataDir} cannot be written by this user. Set DATA_DIR to one that can.`);
  }
}
