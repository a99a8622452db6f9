import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** Stops the supervisor's children if the supervisor dies before it has stopped them. */
export interface Reaper {
  watch(pid: number, signal: NodeJS.Signals): void;
  forget(pid: number): void;
  close(): void;
}

/** Starts the reaper as a detached process. It stops the children when its pipe to this process closes. */
export function startReaper(): Reaper {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'reaper-process.ts')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH },
  });
  child.unref();
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  const tell = (line: string) => child.stdin?.write(`${line}\n`);
  return {
    watch: (pid, signal) => tell(`watch ${pid} ${signal}`),
    forget: (pid) => tell(`forget ${pid}`),
    close: () => child.stdin?.end(),
  };
}
