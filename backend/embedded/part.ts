import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readText, writeWhole } from '../../scripts/lib/files.mjs';
import { identityOf } from '../../scripts/lib/identity.mjs';
import { groupRuns, signalGroup } from './groups.ts';
import type { Reaper } from './reaper.ts';

const LOG_LIMIT = 5_000_000;

/** What a part needs to know of the run it belongs to. */
export interface Surroundings {
  reaper: Reaper;
  logDir: string;
  /** Where a later start finds what a killed one left running. */
  pidDir: string;
  /** Called at once when a part has been spawned, so that an early Ctrl-C reaches it too. */
  spawned?: (part: Part) => void;
}

export interface PartExit { code: number | null; signal: NodeJS.Signals | null; error?: Error }

/** One child process in a group of its own. */
export interface Part {
  name: string;
  pid: number;
  child: ChildProcess;
  /** Resolves, never rejects, once the process is gone. */
  exited: Promise<PartExit>;
  stopping: boolean;
  stop(graceMs?: number): Promise<void>;
  /** The last lines that it logged. */
  tail(): string;
}

export interface PartOptions {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number | undefined;
  gid?: number | undefined;
  stopSignal?: NodeJS.Signals;
  /** Passed-through output instead of a log file. */
  passThrough?: boolean;
  ipc?: boolean;
}

/** Starts a child of the run: logged, watched by the reaper, recorded for the next start. */
export function startPart(around: Surroundings, options: PartOptions): Part {
  const { name, stopSignal = 'SIGTERM' } = options;
  const logFile = join(around.logDir, `${name}.log`);
  const child = spawn(options.command, options.args, {
    cwd: options.cwd, env: options.env ?? process.env, detached: true, stdio: stdioOf(options, logFile),
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid }),
  });
  const pid = child.pid ?? -1;
  const pidFile = join(around.pidDir, `${name}.json`);
  if (pid > 0) {
    around.reaper.watch(pid, stopSignal);
    writeWhole(pidFile, JSON.stringify({ pid, identity: identityOf(pid), stopSignal }));
  }
  const exited = new Promise<PartExit>((resolve) => {
    child.once('error', (error) => { if (pid < 0) resolve({ code: null, signal: null, error }); });
    child.once('exit', (code, signal) => {
      if (!groupRuns(pid)) around.reaper.forget(pid);
      rmSync(pidFile, { force: true });
      resolve({ code, signal });
    });
  });
  const part: Part = {
    name, pid, child, exited, stopping: false,
    tail: () => (readText(logFile) ?? '').trimEnd().split('\n').slice(-15).join('\n'),
    stop: (graceMs = 5_000) => stopPart(part, stopSignal, graceMs),
  };
  around.spawned?.(part);
  return part;
}

async function stopPart(part: Part, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  part.stopping = true;
  if (part.pid < 0) return;
  part.child.kill(signal);
  const gone = await Promise.race([part.exited.then(() => true), sleep(graceMs, false, { ref: false })]);
  if (!gone) signalGroup(part.pid, 'SIGKILL');
  await part.exited;
  signalGroup(part.pid, 'SIGKILL');
}

function stdioOf(options: PartOptions, logFile: string): StdioOptions {
  const ipc = options.ipc ? ['ipc' as const] : [];
  if (options.passThrough) return ['ignore', 'inherit', 'inherit', ...ipc];
  mkdirSync(dirname(logFile), { recursive: true });
  rotate(logFile);
  const log = openSync(logFile, 'a', 0o600);
  // The child gets a copy of the descriptor when it is spawned, in this very turn.
  setImmediate(() => closeSync(log));
  return ['ignore', log, log, ...ipc];
}

function rotate(logFile: string): void {
  try {
    if (statSync(logFile).size > LOG_LIMIT) renameSync(logFile, `${logFile}.1`);
  } catch {
    // no log yet
  }
}
