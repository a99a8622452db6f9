import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../../scripts/lib/say.mjs';
import { startPart, type Part, type PartOptions, type Surroundings } from './part.ts';
import { freePort } from './ports.ts';
import type { Service } from './postgres.ts';
import { findRedis, type RedisProgram } from './redis-program.ts';

const START_TIMEOUT_MS = 60_000;

export interface RedisOptions {
  /** Where the queue's data is kept. */
  home: string;
  /** Where a fetched Redis is looked for; the first is where it is put. */
  cacheDirs: string[];
  /** A Redis of a test run: nothing kept, many databases, no password. */
  throwaway?: boolean;
  say: (text: string) => void;
  /** Of one that is started again: where it listened, and its password. */
  before?: { port: number; password: string };
}

/** Starts Redis on a free port of 127.0.0.1. */
export async function startRedis(around: Surroundings, options: RedisOptions): Promise<Service> {
  mkdirSync(options.home, { recursive: true, mode: 0o700 });
  const program = await findRedis(options.cacheDirs, options.say);
  const password = options.throwaway ? '' : options.before?.password ?? randomBytes(18).toString('hex');
  for (let attempt = 1; ; attempt += 1) {
    const port = options.before?.port ?? await freePort();
    const part = startPart(around, launchOptions(program, options, port, password));
    if (await becomesReady(part, port, password)) {
      const credentials = password ? `:${password}@` : '';
      return {
        url: `redis://${credentials}127.0.0.1:${port}`, part, stop: () => part.stop(8_000), exited: part.exited,
        again: () => startRedis(around, { ...options, before: { port, password } }),
      };
    }
    await part.stop(2_000);
    if (attempt === 3 || !/bind|in use/i.test(part.tail())) {
      throw new Refusal(`The embedded Redis did not start (${program.origin}). The end of its log:\n${part.tail()}`);
    }
  }
}

function launchOptions(program: RedisProgram, options: RedisOptions, port: number, password: string): PartOptions {
  const inContainer = program.docker ?? false;
  const config = join(options.home, 'redis.conf');
  // A file, not flags: every user of the machine can read the flags of a process.
  writeFileSync(config, configText(options, inContainer, port, password), { mode: inContainer ? 0o644 : 0o600 });
  const args = inContainer
    ? ['run', '--rm', '--publish', `127.0.0.1:${port}:6379`, '--volume', `${options.home}:/data`, 'redis:8-alpine', 'redis-server', '/data/redis.conf']
    : [config];
  return { name: 'redis', command: program.command, args, env: program.env, cwd: options.home };
}

function configText(options: RedisOptions, inContainer: boolean, port: number, password: string): string {
  return [
    `port ${inContainer ? 6379 : port}`,
    `bind ${inContainer ? '0.0.0.0' : '127.0.0.1'}`,
    `dir ${JSON.stringify(inContainer ? '/data' : options.home)}`,
    'daemonize no',
    'maxmemory-policy noeviction',
    `appendonly ${options.throwaway ? 'no' : 'yes'}`,
    'save ""',
    `databases ${options.throwaway ? 64 : 16}`,
    ...(password ? [`requirepass ${password}`] : []),
    ...(inContainer ? ['protected-mode no'] : []),
  ].join('\n') + '\n';
}

/** Ready means that it answers PING: it does not while it loads its data. */
async function becomesReady(part: Part, port: number, password: string): Promise<boolean> {
  let gone = false;
  void part.exited.then(() => { gone = true; });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!gone && !part.stopping && Date.now() < deadline) {
    if (await answers(port, password)) return true;
    await sleep(40);
  }
  return false;
}

function answers(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let reply = '';
    const end = (answer: boolean) => { socket.destroy(); resolve(answer); };
    socket.setTimeout(2_000, () => end(false));
    socket.on('connect', () => socket.write(`${password ? `AUTH ${password}\r\n` : ''}PING\r\n`));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on('data', (chunk) => {
      reply += chunk.toString();
      if (reply.includes('+PONG')) end(true);
      else if (reply.startsWith('-')) end(false);
    });
  });
}
