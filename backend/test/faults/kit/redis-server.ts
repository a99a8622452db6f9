import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../../kit/free-port.js';

/** A Redis server for one test, without persistence. Uses the same program as the Redis of the test run. */
export class RedisServer {
  private child?: ChildProcess;
  private constructor(
    private readonly program: string,
    private readonly env: NodeJS.ProcessEnv,
    readonly port: number,
  ) {}

  static async start(): Promise<RedisServer> {
    const shared = new Redis(process.env.TEST_REDIS_URL!);
    const info = await shared.info('server');
    shared.disconnect();
    const pid = /process_id:(\d+)/.exec(info)![1]!;
    // The executable is both server and tools. The name under which it is started decides which one it is.
    const program = /executable:(\S+)/.exec(info)![1]!;
    // A downloaded Redis needs its library folder. The running server's memory maps tell where the libraries are.
    const libraries = [...readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/ (\/\S+\.so[\d.]*)$/gm)].map(([, file]) =>
      dirname(file!),
    );
    const env = { ...process.env, LD_LIBRARY_PATH: [...new Set(libraries)].join(':') };
    const server = new RedisServer(program, env, await freePort());
    await server.up();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the server without data. */
  async up(): Promise<void> {
    this.child = spawn(
      this.program,
      [
        '--port',
        String(this.port),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--appendonly',
        'no',
        '--maxmemory-policy',
        'noeviction',
        '--daemonize',
        'no',
      ],
      { stdio: 'ignore', env: this.env, cwd: '/tmp' },
    );
    for (let tries = 0; ; tries++) {
      const ok = await this.command(async (redis) => (await redis.ping()) === 'PONG').catch(() => false);
      if (ok) return;
      if (tries > 100) throw new Error('the Redis of the test did not start');
      await pause(100);
    }
  }

  async kill(): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGCONT');
    this.child.kill('SIGKILL');
    await gone;
  }

  signal = (name: 'SIGSTOP' | 'SIGCONT'): boolean => this.child!.kill(name);

  async command<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.url, { maxRetriesPerRequest: 0, retryStrategy: () => null, lazyConnect: true });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }
}
