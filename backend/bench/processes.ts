import { type ChildProcess, fork, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { SinkModes } from '../test/kit/sink/sink-modes.js';
import { workerFlags } from '../test/kit/worker-flags.js';
import type { SinkCounts, SinkOrder } from '../test/kit/sink/sink-process.js';

const compiled = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const running = new Set<ChildProcess>();
const workers = new Set<ProductProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

function watch(child: ChildProcess): ChildProcess {
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

/** Runs the sink in a separate process, so that it shares no event loop with the measured code. */
export class SinkProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<SinkProcess> {
    const child = watch(fork(compiled('../test/kit/sink/sink-process.js'), { detached: true }));
    const [url] = (await once(child, 'message')) as [string];
    return new SinkProcess(child, url);
  }

  set = (modes: SinkModes): Promise<SinkCounts> => this.order({ modes });
  reset = (): Promise<SinkCounts> => this.order({ reset: true });
  phase = (phase: number): Promise<SinkCounts> => this.order({ phase });
  counts = (): Promise<SinkCounts> => this.order({ ask: 'counts' });

  stop = (): void => void this.child.kill('SIGKILL');

  private last: Promise<unknown> = Promise.resolve();

  /** Sends one command at a time, because the sink's answers do not say which command they belong to. */
  private order(order: SinkOrder): Promise<SinkCounts> {
    const answer = this.last.then(async () => {
      this.child.send(order);
      const [counts] = (await once(this.child, 'message')) as [SinkCounts];
      return counts;
    });
    this.last = answer.catch(() => undefined);
    return answer;
  }
}

const FLAGS = {
  web: process.env.BENCH_WEB_FLAGS?.split(' ') ?? ['--enable-source-maps', '--max-old-space-size=384'],
  worker: process.env.BENCH_WORKER_FLAGS?.split(' ') ?? workerFlags(),
};

/** A web or worker process of the product, with the Node flags of docker-compose.yml and the image. */
export class ProductProcess {
  private constructor(readonly child: ChildProcess) {}

  /** @param build folder of the compiled backend; by default the build of this checkout */
  static async start(role: 'web' | 'worker', env: Record<string, string>, build?: string): Promise<ProductProcess> {
    const profile =
      process.env.BENCH_PROFILE === role ? ['--cpu-prof', '--cpu-prof-dir', process.env.BENCH_PROFILE_DIR ?? '.'] : [];
    const child = watch(
      spawn(
        process.execPath,
        [...profile, ...FLAGS[role], build ? join(build, 'src', 'main.js') : compiled('../src/main.js')],
        {
          env: { ...process.env, ...env, ROLE: role },
          // In a separate session, as with `npm start` and in containers, because Linux may share the processor between
          // sessions.
          detached: true,
          stdio: ['ignore', process.env.BENCH_LOG ? 'inherit' : 'ignore', 'inherit'],
        },
      ),
    );
    const product = new ProductProcess(child);
    if (role === 'web') await answering(`${env.APP_URL}/api/health`, child);
    else workers.add(product);
    return product;
  }

  /**
   * Waits until a worker is ready.
   * @returns time of readiness in ms, by Date.now()
   */
  async ready(workerPort: number): Promise<number> {
    await answering(`http://127.0.0.1:${workerPort}/`, this.child);
    return Date.now();
  }

  /** Resident memory in MB. */
  rss(): number {
    return kilobytes(this.child.pid!, 'VmRSS') / 1024;
  }

  peak(): number {
    return kilobytes(this.child.pid!, 'VmHWM') / 1024;
  }

  /** Processor time used so far, in seconds. */
  processorTime(): number {
    const fields = readFileSync(`/proc/${this.child.pid!}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    workers.delete(this);
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }
}

/** Kills workers that a scenario left running. */
export async function killWorkers(): Promise<void> {
  for (const worker of [...workers]) await worker.stop('SIGKILL');
}

function kilobytes(pid: number, field: string): number {
  try {
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return;
    await pause(50);
  }
  throw new Error('the product does not answer');
}

export interface BareOptions {
  kind: 'nodemailer' | 'own';
  smtpUrl: string;
  messages: number;
  connections: number;
  dkim?: string;
  /** Size in bytes of the file that is attached to each message. Works only with `own`. */
  attached?: number;
}

/**
 * Sends messages by a bare mailer in a separate process; see bare.ts.
 * @returns processor time per message in microseconds, counted from the first message
 */
export async function runBare(options: BareOptions): Promise<number> {
  const child = watch(fork(compiled('bare.js'), [JSON.stringify(options)]));
  let cost = 0;
  child.on('message', (message) => (cost = message as number));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the bare ${options.kind} run ended with ${code}`);
  return cost;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
