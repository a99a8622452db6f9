import { killCommands } from './command.ts';
import type { ManagedProcess, ProcessExit, ProcessContext } from './managed-process.ts';
import { startReaper } from './reaper.ts';

const STOP_ORDER = ['web', 'app', 'compiler', 'stripe', 'mailbox', 'redis', 'postgres'];
const GRACE_MS: Record<string, number> = { app: 10_000, postgres: 10_000, redis: 8_000 };

/** One run of the product or its tests: all its child processes, stopped in a fixed order. */
export class Run {
  readonly context: ProcessContext;
  /** Resolves with a message when a guarded process exits unexpectedly. */
  readonly crashed: Promise<string>;
  stopping = false;
  private readonly parts: ManagedProcess[] = [];
  private stopped: Promise<void> | undefined;
  private reportCrash: (sentence: string) => void = () => {};

  constructor(folders: { logDir: string; pidDir: string }) {
    this.context = { ...folders, reaper: startReaper(), spawned: (part) => this.add(part) };
    this.crashed = new Promise((resolve) => {
      this.reportCrash = resolve;
    });
  }

  /** Ends the run if this process exits unexpectedly. */
  guard(part: ManagedProcess): void {
    void part.exited.then((exit) => {
      if (!this.stopping && !part.stopping) this.crash(part, exit);
    });
  }

  /** Ends the run with a message about the exited process. */
  crash(part: ManagedProcess, exit: ProcessExit, why = 'ended unexpectedly'): void {
    const log = part.tail();
    this.reportCrash(`${part.name} ${why} (${exitReason(exit)}).` + (log ? ` The end of its log:\n${log}` : ''));
  }

  /** Forgets an exited process, whose pid may be reused before the run stops. */
  forget(part: ManagedProcess): void {
    const at = this.parts.indexOf(part);
    if (at >= 0) this.parts.splice(at, 1);
  }

  /** Stops all processes, the app first and the database last. */
  stop(): Promise<void> {
    this.stopping = true;
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  private add(part: ManagedProcess): void {
    this.parts.push(part);
    if (this.stopping) void part.stop(1_000);
  }

  private async stopAll(): Promise<void> {
    killCommands();
    const rank = (part: ManagedProcess) => STOP_ORDER.indexOf(part.name);
    for (const part of [...this.parts].sort((a, b) => rank(a) - rank(b))) await part.stop(GRACE_MS[part.name] ?? 3_000);
    this.context.reaper.close();
  }
}

/** Signal or exit code of an exited process. */
export const exitReason = ({ code, signal }: ProcessExit): string => signal ?? `exit code ${code}`;
