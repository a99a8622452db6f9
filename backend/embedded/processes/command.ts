import { spawn, type ChildProcess } from 'node:child_process';

export interface Outcome {
  code: number;
  output: string;
}

const running = new Set<ChildProcess>();

/** Kills commands of `runCommand` that still run. */
export function killCommands(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs a short command without a terminal and collects its output. A missing program gives code 127. */
export function runCommand(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Does not use spawn's own timeout, because its timer keeps running if the program is missing.
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 120_000);
    // A missing program has no pid; killing it could signal pid 0, which is our own process group.
    if (child.pid !== undefined) running.add(child);
    const done = (outcome: Outcome) => {
      clearTimeout(timer);
      running.delete(child);
      resolve(outcome);
    };
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.once('error', (error) => done({ code: 127, output: String(error) }));
    child.once('close', (code) => done({ code: code ?? 1, output }));
  });
}
