import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../../../scripts/lib/say.mjs';
import {
  startProcess,
  type ManagedProcess,
  type ProcessOptions,
  type ProcessContext,
} from '../processes/managed-process.ts';
import { freePort } from '../processes/ports.ts';
import type { Service } from '../postgres/postgres.ts';
import { findRedis, type RedisProgram } from './redis-program.ts';

const START_TIMEOUT_MS = 60_000;

export interface RedisOptions {
  /** Folder of the data. */
  home: string;
  /** Folders of downloaded Redis programs; a new download goes into the first. */
  cacheDirs: string[];
  /** Redis of a test run: stores nothing, has more databases and no password. */
  throwaway?: boolean;
  say: (text: string) => void;
  /** Port and password that Redis had before a restart and keeps. */
  before?: { port: number; password: string };
}

/** Starts Redis on a free port of 127.0.0.1. */
export async function startRedis(context: ProcessContext, options: RedisOptions): Promise<Service> {
  mkdirSync(options.home, { recursive: true, mode: 0o700 });
  const program = await findRedis(options.cacheDirs, options.say);
  const password = options.throwaway ? '' : (options.before?.password ?? randomBytes(18).toString('hex'));
  for (let attempt = 1; ; attempt += 1) {
    const port = options.before?.port ?? (await freePort());
    const part = startProcess(context, launchOptions(program, options, port, password));
    if (await becomesReady(part, port, password)) {
      const credentials = password ? `:${password}@` : '';
      return {
        url: `redis://${credentials}127.0.0.1:${port}`,
        part,
        stop: () => part.stop(8_000),
        exited: part.exited,
        restart: () => startRedis(context, { ...options, before: { port, password } }),
      };
    }
    await part.stop(2_000);
    if (attempt === 3 || !/bind|in use/i.test(part.tail())) {
      throw new CliError(`The embedded Redis did not start (${program.origin}). The end of its log:\n${part.tail()}`);
    }
  }
}

function launchOptions(program: RedisProgram, options: RedisOptions, port: number, password: string): ProcessOptions {
  const inContainer = program.docker ?? false;
  const config = join(options.home, 'redis.conf');
  // Passes the settings in a file, because every user of the machine can read a process's arguments.
  writeFileSync(config, configText(options, inContainer, port, password), { mode: inContainer ? 0o644 : 0o600 });
  const args = inContainer
    ? [
        'run',
        '--rm',
        '--publish',
        `127.0.0.1:${port}:6379`,
        '--volume',
        `${options.home}:/data`,
        'redis:8-alpine',
        'redis-server',
        '/data/redis.conf',
      ]
    : [config];
  return { name: 'redis', command: program.command, args, env: program.env, cwd: options.home };
}

function configText(options: RedisOptions, inContainer: boolean, port: number, password: string): string {
  return (
    [
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
    ].join('\n') + '\n'
  );
}

/** Waits until Redis answers PING, which it does not do while it loads its data. */
async function becomesReady(part: ManagedProcess, port: number, password: string): Promise<boolean> {
  let gone = false;
  void part.exited.then(() => {
    gone = true;
  });
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
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
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
