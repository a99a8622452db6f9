import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const READY_LIMIT_MS = 240_000;

/** The product as started by `npm start`, with separate data. */
export interface Product {
  url: string;
  mailboxUrl: string;
  dataDir: string;
  /** Kills all processes, as in a crash. The data stays. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProductOptions {
  env?: Record<string, string>;
  /** Data folder and port of an earlier start, to start it again. */
  dataDir?: string;
  port?: number;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  await new Promise((closed) => server.close(closed));
  return address.port;
}

/** Starts the supervisor of `npm start` on free ports and waits until it is ready. */
export async function startProduct({
  env = {},
  dataDir = mkdtempSync(join(tmpdir(), 'staffcast-journey-')),
  port: chosenPort,
}: ProductOptions = {}): Promise<Product> {
  const port = chosenPort ?? (await freePort());
  const mailboxPort = await freePort();
  const child = spawn(process.execPath, ['backend/embedded/supervisor.ts'], {
    cwd: ROOT,
    env: {
      ...withoutTestServices(),
      PORT: String(port),
      MAILBOX_PORT: String(mailboxPort),
      DATA_DIR: dataDir,
      APP_URL: `http://localhost:${port}`,
      LOG_LEVEL: 'warn',
      ...env,
    },
    // When this process ends, the supervisor notices it by the IPC channel and ends too.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  await ready(child);
  const end = async (signal: NodeJS.Signals) => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  const stop = async () => {
    await end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  };
  return {
    url: `http://localhost:${port}`,
    mailboxUrl: `http://localhost:${mailboxPort}`,
    dataDir,
    kill: () => end('SIGKILL'),
    stop,
  };
}

function withoutTestServices(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _d, REDIS_URL: _r, SMTP_URL: _s, NODE_ENV: _n, ...rest } = process.env;
  return rest;
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const late = setTimeout(
      () => reject(new Error(`not ready after ${READY_LIMIT_MS} ms:\n${output}`)),
      READY_LIMIT_MS,
    );
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (/Staffcast\s+http/.test(output)) {
        clearTimeout(late);
        resolve();
      }
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`the start ended with ${code}:\n${output}`));
    });
  });
}
