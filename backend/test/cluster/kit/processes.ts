import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workerFlags } from '../../kit/worker-flags.js';
import { until } from '../../kit/until.js';

/** Root of the repository. Found both from the sources and from the compiled kit. */
export const ROOT = ((): string => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package-lock.json'))) folder = dirname(folder);
  return folder;
})();

/**
 * One process of the built product, started as in its image: `node backend/dist/src/main.js`; a worker gets the flags
 * of docker-compose.yml.
 */
export class Instance {
  output = '';
  private child?: ChildProcess;

  constructor(
    readonly name: string,
    readonly port: number,
    private readonly env: Record<string, string>,
    private readonly prefix: readonly string[] = [],
    private readonly log?: number,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  start(): this {
    const [command, ...args] = [
      ...this.prefix,
      process.execPath,
      ...(this.env.ROLE === 'worker' ? workerFlags() : []),
      'backend/dist/src/main.js',
    ];
    const child = spawn(command!, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...this.env },
      stdio: ['ignore', this.log ?? 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-200_000)));
    this.child = child;
    return this;
  }

  /** Waits until the process reports ready. */
  async ready(): Promise<this> {
    await until(`${this.name} is ready\n${this.output}`, () => this.says('ready'));
    return this;
  }

  async says(what: 'live' | 'ready'): Promise<boolean> {
    if (this.child?.exitCode !== null)
      throw new Error(`${this.name} ended with ${this.child?.exitCode}:\n${this.output.slice(-3000)}`);
    const answer = await fetch(`${this.url}/api/health/${what}`, { signal: AbortSignal.timeout(3000) }).catch(
      () => undefined,
    );
    return answer?.status === 200;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** @returns whether the process was running to receive the signal */
  signal(name: NodeJS.Signals): boolean {
    return this.child?.kill(name) ?? false;
  }

  /** Sends SIGTERM, as an orchestrator would. @returns the exit code */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await ended)[0];
  }
}
