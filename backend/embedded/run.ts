import { endCommands } from './command.ts';
import type { Part, PartExit, Surroundings } from './part.ts';
import { startReaper } from './reaper.ts';

const STOP_ORDER = ['web', 'app', 'compiler', 'stripe', 'mailbox', 'redis', 'postgres'];
const GRACE_MS: Record<string, number> = { app: 10_000, postgres: 10_000, redis: 8_000 };

/** One run of the product or of its tests: knows every child and stops them in order, once. */
export class Run {
  readonly around: Surroundings;
  /** Resolves with a sentence once a part that was up dies on its own. */
  readonly crashed: Promise<string>;
  stopping = false;
  private readonly parts: Part[] = [];
  private stopped: Promise<void> | undefined;
  private reportCrash: (sentence: string) => void = () => {};

  constructor(folders: { logDir: string; pidDir: string }) {
    this.around = { ...folders, reaper: startReaper(), spawned: (part) => this.add(part) };
    this.crashed = new Promise((resolve) => { this.reportCrash = resolve; });
  }

  /** From now on the part's death is a crash. */
  guard(part: Part): void {
    void part.exited.then((exit) => {
      if (!this.stopping && !part.stopping) this.crash(part, exit);
    });
  }

  /** Ends the run with what is known of a part's death. */
  crash(part: Part, exit: PartExit, why = 'ended unexpectedly'): void {
    const log = part.tail();
    this.reportCrash(`${part.name} ${why} (${howItEnded(exit)}).` + (log ? ` The end of its log:\n${log}` : ''));
  }

  /** A part that ended by itself: its process number may be another's by the time we stop. */
  forget(part: Part): void {
    const at = this.parts.indexOf(part);
    if (at >= 0) this.parts.splice(at, 1);
  }

  /** Stops everything that was started, the app first and the database last. */
  stop(): Promise<void> {
    this.stopping = true;
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  private add(part: Part): void {
    this.parts.push(part);
    if (this.stopping) void part.stop(1_000);
  }

  private async stopAll(): Promise<void> {
    endCommands();
    const rank = (part: Part) => STOP_ORDER.indexOf(part.name);
    for (const part of [...this.parts].sort((a, b) => rank(a) - rank(b))) await part.stop(GRACE_MS[part.name] ?? 3_000);
    this.around.reaper.close();
  }
}

/** The signal or exit code of a process that is gone. */
export const howItEnded = ({ code, signal }: PartExit): string => signal ?? `exit code ${code}`;
