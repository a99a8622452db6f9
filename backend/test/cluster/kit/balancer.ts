import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.js';
import { until } from '../../kit/until.js';

const SHIPPED = join(ROOT, 'docker', 'lb');
const MIME_TYPES = ['/etc/nginx/mime.types', '/opt/homebrew/etc/nginx/mime.types', '/usr/local/etc/nginx/mime.types'];

export interface BalancerOptions {
  failTimeout: string;
  keepAlive: string;
  prefix?: readonly string[];
  /** Limits per client; the names are those in render.sh. */
  limits?: Partial<
    Record<'LB_CLIENT_CONNECTIONS' | 'LB_CLIENT_RATE' | 'LB_CLIENT_BURST' | 'LB_HEADER_TIMEOUT', string>
  >;
}

/** A real nginx with the shipped configuration, rendered like docker/lb/render.sh. */
export class Balancer {
  private readonly child: ChildProcess;
  private output = '';

  constructor(
    private readonly home: string,
    readonly port: number,
    webs: readonly [number, number],
    { failTimeout, keepAlive, prefix = [], limits }: BalancerOptions,
  ) {
    const values: Record<string, string> = {
      LB_RUN: home,
      LB_CONF: SHIPPED,
      LB_SERVER_D: join(home, 'server.d'),
      LB_MIME_TYPES: MIME_TYPES.find((path) => existsSync(path)) ?? '',
      LB_WEB_ROOT: join(ROOT, 'frontend', 'dist'),
      LB_LISTEN: `127.0.0.1:${port}`,
      LB_ACCESS_LOG: join(home, 'access.log'),
      LB_FAIL_TIMEOUT: failTimeout,
      LB_KEEPALIVE: keepAlive,
      // All requests of a test come from one client address, so limits are off unless the test sets them.
      LB_CLIENT_CONNECTIONS: '10000',
      LB_CLIENT_RATE: '100000',
      LB_CLIENT_BURST: '100000',
      LB_HEADER_TIMEOUT: '10s',
      ...limits,
      WEB_1: `127.0.0.1:${webs[0]}`,
      WEB_2: `127.0.0.1:${webs[1]}`,
    };
    const text = readFileSync(join(SHIPPED, 'nginx.conf.template'), 'utf8').replace(
      /\$\{(\w+)\}/g,
      (_whole, name: string) => {
        if (values[name] === undefined) throw new Error(`nothing fills in ${name}`);
        return values[name];
      },
    );
    mkdirSync(join(home, 'server.d'), { recursive: true });
    const file = join(home, 'nginx.conf');
    writeFileSync(file, text);
    const asRoot = process.getuid?.() === 0 ? ' user root;' : '';
    const [command, ...args] = [
      ...prefix,
      process.env.NGINX_PATH ?? 'nginx',
      '-p',
      home,
      '-c',
      file,
      '-g',
      `daemon off;${asRoot}`,
    ];
    this.child = spawn(command!, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Content of nginx's error log. */
  get errors(): string {
    return this.output;
  }

  async ready(): Promise<void> {
    await until('nginx answers', async () => {
      if (this.child.exitCode !== null) throw new Error(`nginx ended:\n${this.output}`);
      return (await fetch(`${this.url}/api/health/live`).catch(() => undefined))?.status === 200;
    });
  }

  /** Lines of nginx's access log. */
  log(): { method: string; status: number; upstream: string; ip: string; requestId: string }[] {
    return readFileSync(join(this.home, 'access.log'), 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGQUIT');
    const timer = setTimeout(() => this.child.kill('SIGTERM'), 1000);
    await ended;
    clearTimeout(timer);
  }
}
