import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { freePort } from '../processes/ports.ts';
import { Run } from '../processes/run.ts';

/** Creates a temporary folder that other users can traverse, because embedded parts may run as another user. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'staffcast-boot-'));
  chmodSync(folder, 0o711);
  return folder;
}

export function newRun(folder: string): Run {
  return new Run({ logDir: join(folder, 'logs'), pidDir: join(folder, 'pids') });
}

/**
 * Waits for a condition.
 * @throws an error that names the condition, if the condition does not hold in time
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await sleep(30);
  }
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Sends command lines to Redis and returns the reply. */
export function redis(url: string, ...lines: string[]): Promise<string> {
  const { port, password } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write([...(password ? [`AUTH ${password}`] : []), ...lines, 'QUIT'].join('\r\n') + '\r\n'),
    );
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '');
  } catch {
    return false;
  }
};

const STUB_APP = `
import { createServer } from 'node:http';
if (process.env.STUB === 'fails') { console.error('POSTAL_ADDRESS is required'); process.exit(1); }
const server = createServer((request, response) => {
  if (request.url === '/crash') process.exit(3);
  response.writeHead(request.url === '/api/health/ready' ? 200 : 404).end(JSON.stringify(process.env));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => { server.close(() => process.exit(0)); server.closeAllConnections(); });
`;

/** Copies the start-up code into a temporary folder, with a stub in place of the app. */
export function makeCheckout(): string {
  const root = tempFolder();
  for (const folder of ['scripts', 'backend/embedded', 'backend/stripe-simulator'])
    cpSync(join(ROOT, folder), join(root, folder), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'backend', 'dist', 'src'), { recursive: true });
  writeFileSync(join(root, 'backend', 'dist', 'src', 'main.js'), STUB_APP);
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  return root;
}

export interface Start {
  child: ChildProcess;
  output: () => string;
  exitCode: Promise<number | null>;
  port: number;
  mailboxPort: number;
  ready: () => Promise<void>;
  /** Pids of the supervisor's child processes, by name. */
  pids: () => Record<string, number>;
}

/** Maximum number of further starts if another process took a chosen port before the supervisor listened on it. */
const MAX_RESTARTS = 4;
const PORT_TAKEN = /EADDRINUSE|to another port/;

/**
 * Starts the supervisor of a checkout. If another process takes a port that was chosen here, `ready` starts the
 * supervisor again with other ports.
 * @param choosePort chooses a port for PORT or MAILBOX_PORT if `env` does not name it
 */
export async function start(root: string, env: NodeJS.ProcessEnv = {}, choosePort = freePort): Promise<Start> {
  let current = await startOnce(root, env, choosePort);
  return {
    get child() {
      return current.child;
    },
    get exitCode() {
      return current.exitCode;
    },
    get port() {
      return current.port;
    },
    get mailboxPort() {
      return current.mailboxPort;
    },
    output: () => current.output(),
    pids: () => current.pids(),
    ready: async () => {
      const isChosen = !env.PORT || !env.MAILBOX_PORT;
      for (let restarts = 0; ; restarts += 1) {
        try {
          return await current.ready();
        } catch (error) {
          if (!isChosen || restarts === MAX_RESTARTS || !PORT_TAKEN.test(current.output())) throw error;
          await current.exitCode;
          current = await startOnce(root, env, choosePort);
        }
      }
    },
  };
}

async function startOnce(root: string, env: NodeJS.ProcessEnv, choosePort: () => Promise<number>): Promise<Start> {
  const [port, mailboxPort] = [await choosePort(), await choosePort()];
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(NODE_|DATABASE_URL|REDIS_URL|SMTP_URL|DATA_DIR|APP_URL)/.test(name),
    ),
  );
  const child = spawn(process.execPath, [join(root, 'backend', 'embedded', 'supervisor.ts')], {
    env: { ...clean, PORT: String(port), MAILBOX_PORT: String(mailboxPort), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const exitCode = new Promise<number | null>((resolve) => {
    // Waits for 'exit' and not for 'close', which Node does not emit for a child with a closed channel. The last output
    // may come shortly after the exit.
    const read = Promise.all(
      [child.stdout, child.stderr].map((stream) => new Promise((ended) => stream?.once('end', ended))),
    );
    child.once('exit', (code) => void Promise.race([read, sleep(1_000)]).then(() => resolve(code)));
  });
  let ended = false;
  void exitCode.then(() => {
    ended = true;
  });
  return {
    child,
    exitCode,
    port,
    mailboxPort,
    output: () => text,
    ready: () =>
      until('the start is ready', () => {
        if (ended) throw new Error(`the start ended:\n${text}`);
        return text.includes(`  Mailbox    http://localhost:${mailboxPort}`);
      }),
    pids: () => readPids(join(root, '.data', 'pids')),
  };
}

function readPids(folder: string): Record<string, number> {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  return Object.fromEntries(
    files.map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(join(folder, file), 'utf8')).pid as number,
    ]),
  );
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
