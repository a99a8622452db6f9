import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readText } from '../../../scripts/lib/files.mjs';
import { CliError } from '../../../scripts/lib/say.mjs';
import { startProcess, type ManagedProcess, type ProcessContext } from '../processes/managed-process.ts';
import { freePort } from '../processes/ports.ts';
import { nativeFolder } from './native-programs.ts';
import { runAs, type RunAs } from './run-as.ts';

const DATABASE = 'staffcast';
const EXTENSIONS = ['pg_trgm', 'citext', 'pgcrypto'];
const START_TIMEOUT_MS = 60_000;

export interface PostgresOptions {
  /** The folder for the cluster and its password. */
  home: string;
  /** True for a test run: the database is fast but does not survive crashes. */
  throwaway?: boolean;
  /** Further settings of the server. */
  settings?: Record<string, string>;
  /** The port to listen on; default: a free one. */
  port?: number;
  /** Only for tests: whether user namespaces may be used. */
  namespaces?: () => boolean;
}

export interface Service {
  url: string;
  part: ManagedProcess;
  stop(): Promise<void>;
  exited: ManagedProcess['exited'];
  /** Restarts the service after it has ended, with the same data and URL. */
  restart?(): Promise<Service>;
}

/** Starts PostgreSQL on 127.0.0.1. Creates the cluster and the database if they do not exist. */
export async function startPostgres(context: ProcessContext, options: PostgresOptions): Promise<Service> {
  mkdirSync(options.home, { recursive: true });
  const as = runAs(options.home, nativeFolder(), options.namespaces);
  const password = passwordOf(as);
  await ensureCluster(context, as, options.throwaway ?? false);
  clearStalePid(join(as.home, 'data'));
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const part = launch(context, as, port, options);
    const urlOf = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
    if (await becomesReady(part, urlOf('postgres'))) {
      await ensureDatabase(urlOf('postgres'), urlOf(DATABASE));
      return {
        url: urlOf(DATABASE),
        part,
        stop: () => stop(part),
        exited: part.exited,
        restart: () => startPostgres(context, { ...options, port }),
      };
    }
    await stop(part);
    if (attempt === 3 || !part.tail().includes('could not bind')) {
      throw new CliError(`The embedded PostgreSQL did not start. The end of its log:\n${part.tail()}`);
    }
  }
}

function launch(
  context: ProcessContext,
  as: RunAs,
  port: number,
  { throwaway, settings: further }: PostgresOptions,
): ManagedProcess {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: throwaway ? '128MB' : '256MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(throwaway ? { fsync: 'off', full_page_writes: 'off' } : {}),
    ...further,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { command, args } = as.wrap(join(as.native, 'bin', 'postgres'), ['-D', join(as.home, 'data'), ...flags]);
  return startProcess(context, {
    name: 'postgres',
    command,
    args,
    uid: as.uid,
    gid: as.gid,
    cwd: as.home,
    stopSignal: 'SIGINT',
  });
}

/**
 * Stops the server: at first with a fast shutdown, after seven seconds with an immediate one. Killing the postmaster
 * would leave its backends running for a while.
 */
async function stop(part: ManagedProcess): Promise<void> {
  const forceStop = setTimeout(() => part.child.kill('SIGQUIT'), 7_000);
  await part.stop(10_000);
  clearTimeout(forceStop);
}

function passwordOf(as: RunAs): string {
  const file = join(as.home, 'password');
  const known = readText(file)?.trim();
  if (known) return known;
  const password = randomBytes(18).toString('hex');
  writeFileSync(file, password, { mode: 0o600 });
  if (as.uid !== undefined && as.gid !== undefined) chownSync(file, as.uid, as.gid);
  return password;
}

/**
 * Creates the cluster in another folder and renames the folder, so that an interrupted start leaves no incomplete
 * cluster.
 */
async function ensureCluster(context: ProcessContext, as: RunAs, throwaway: boolean): Promise<void> {
  if (existsSync(join(as.home, 'data', 'PG_VERSION'))) return checkVersion(join(as.home, 'data'));
  const draft = join(as.home, 'data.new');
  rmSync(draft, { recursive: true, force: true });
  const { command, args } = as.wrap(join(as.native, 'bin', 'initdb'), [
    '-D',
    draft,
    '--username=postgres',
    `--pwfile=${join(as.home, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--no-instructions',
    ...(throwaway ? ['--no-sync'] : []),
  ]);
  const part = startProcess(context, { name: 'initdb', command, args, uid: as.uid, gid: as.gid, cwd: as.home });
  const { code } = await part.exited;
  if (code !== 0)
    throw new CliError(`PostgreSQL's data folder could not be made. The end of initdb's log:\n${part.tail()}`);
  chmodSync(draft, 0o700);
  renameSync(draft, join(as.home, 'data'));
}

function checkVersion(data: string): void {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (version !== '18') {
    throw new CliError(
      `${data} was made by PostgreSQL ${version}, the embedded one is 18: move the folder away, or set DATABASE_URL.`,
    );
  }
}

/** After a crash the pid file may name an unrelated process, since containers reuse pids quickly. */
function clearStalePid(data: string): void {
  const file = join(data, 'postmaster.pid');
  const pid = Number(readText(file)?.split('\n')[0]);
  if (!pid) return;
  const command = readText(`/proc/${pid}/cmdline`);
  if (command?.includes(data)) {
    throw new CliError(
      `Another PostgreSQL (process ${pid}) runs on ${data}. Stop it, or set DATA_DIR to another folder.`,
    );
  }
  if (process.platform === 'linux') rmSync(file, { force: true });
}

async function becomesReady(part: ManagedProcess, url: string): Promise<boolean> {
  let gone = false;
  void part.exited.then(() => {
    gone = true;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!gone && !part.stopping && Date.now() < deadline) {
    if (await answers(url)) return true;
    await sleep(40);
  }
  return false;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') {
      throw new CliError("The password kept beside the embedded PostgreSQL's data is not the one it was made with.");
    }
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function ensureDatabase(adminUrl: string, url: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  });
  await withClient(url, async (client) => {
    for (const name of EXTENSIONS) await client.query(`create extension if not exists ${name}`);
  });
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
