import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readText, writeWhole } from '../../../scripts/lib/files.mjs';
import { identityOf } from '../../../scripts/lib/identity.mjs';
import { CliError } from '../../../scripts/lib/say.mjs';
import { isGroupAlive, signalGroup } from './signals.ts';
import type { Reaper } from './reaper.ts';

const LOG_LIMIT = 5_000_000;

/** The run that a process belongs to. */
export interface ProcessContext {
  reaper: Reaper;
  logDir: string;
  /** Folder of the pid files. A later start uses them to find processes of a killed run. */
  pidDir: string;
  /** Called right after spawning, so that an early Ctrl-C stops the process too. */
  spawned?: (part: ManagedProcess) => void;
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  error?: Error;
}

/** A child process in a process group of its own. */
export interface ManagedProcess {
  name: string;
  pid: number;
  child: ChildProcess;
  /** Resolves when the process has exited; never rejects. */
  exited: Promise<ProcessExit>;
  stopping: boolean;
  stop(graceMs?: number): Promise<void>;
  /** Content of the log; empty with `passThrough`. */
  output(): string;
  /** Last lines of the log. */
  tail(): string;
}

export interface ProcessOptions {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number | undefined;
  gid?: number | undefined;
  stopSignal?: NodeJS.Signals;
  /** Inherits the supervisor's output instead of writing a log file. */
  passThrough?: boolean;
  ipc?: boolean;
}

/** Starts a child process with a log file; registers it with the reaper and in a pid file for the next start. */
export function startProcess(context: ProcessContext, options: ProcessOptions): ManagedProcess {
  const { name, stopSignal = 'SIGTERM' } = options;
  const logFile = join(context.logDir, `${name}.log`);
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    detached: true,
    stdio: stdioOf(options, logFile),
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid }),
  });
  const pid = child.pid ?? -1;
  const pidFile = join(context.pidDir, `${name}.json`);
  if (pid > 0) {
    context.reaper.watch(pid, stopSignal);
    writeWhole(pidFile, JSON.stringify({ pid, identity: identityOf(pid), stopSignal }));
  }
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('error', (error) => {
      if (pid < 0) resolve({ code: null, signal: null, error });
    });
    child.once('exit', (code, signal) => {
      if (!isGroupAlive(pid)) context.reaper.forget(pid);
      rmSync(pidFile, { force: true });
      resolve({ code, signal });
    });
  });
  const part: ManagedProcess = {
    name,
    pid,
    child,
    exited,
    stopping: false,
    output: () => readText(logFile) ?? '',
    tail: () => part.output().trimEnd().split('\n').slice(-15).join('\n'),
    stop: (graceMs = 5_000) => stopProcess(part, stopSignal, graceMs),
  };
  context.spawned?.(part);
  return part;
}

/**
 * Waits for the first message of a child with `ipc`, which the child sends when it is ready. Then closes the channel.
 * @throws with the end of the child's log if the child exits first
 */
export async function readyMessage<T>(part: ManagedProcess, label: string): Promise<T> {
  const message = new Promise<T>((resolve) => part.child.once('message', (sent) => resolve(sent as T)));
  const first = await Promise.race([message, part.exited.then(() => undefined)]);
  part.child.disconnect?.();
  if (first) return first;
  throw new CliError(`The ${label} did not start. The end of its log:\n${part.tail()}`);
}

async function stopProcess(part: ManagedProcess, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  part.stopping = true;
  if (part.pid < 0) return;
  part.child.kill(signal);
  const gone = await Promise.race([part.exited.then(() => true), sleep(graceMs, false, { ref: false })]);
  if (!gone) signalGroup(part.pid, 'SIGKILL');
  await part.exited;
  signalGroup(part.pid, 'SIGKILL');
}

function stdioOf(options: ProcessOptions, logFile: string): StdioOptions {
  const ipc = options.ipc ? ['ipc' as const] : [];
  if (options.passThrough) return ['ignore', 'inherit', 'inherit', ...ipc];
  mkdirSync(dirname(logFile), { recursive: true });
  rotate(logFile);
  const log = openSync(logFile, 'a', 0o600);
  // spawn has copied the descriptor by then.
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
