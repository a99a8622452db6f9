import { spawn, type ChildProcess } from 'node:child_process';

export interface Outcome { code: number; output: string }

const running = new Set<ChildProcess>();

/** Ends the short commands that still run. */
export function endCommands(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs a short command without a terminal and collects what it prints; a missing program is code 127. */
export function runCommand(command: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number } = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: options.cwd, env: options.env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] });
    // Not spawn's own timeout: its timer goes on when the program is missing.
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 120_000);
    // A program that is missing has no process: a kill at once would signal whatever number stands in unset memory, often 0, our own group.
    if (child.pid !== undefined) running.add(child);
    const done = (outcome: Outcome) => {
      clearTimeout(timer);
      running.delete(child);
      resolve(outcome);
    };
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => { output += chunk.toString(); });
    child.once('error', (error) => done({ code: 127, output: String(error) }));
    child.once('close', (code) => done({ code: code ?? 1, output }));
  });
}
