import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** Path of the first pg_dump or pg_restore that is at least as new as the server; older versions refuse the server. */
export function findPgProgram(
  name: 'pg_dump' | 'pg_restore',
  serverMajor: number,
  folders = programFolders(),
): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path) && majorOf(path) >= serverMajor);
}

function programFolders(): string[] {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  return [...(process.env.PATH ?? '').split(':'), ...debian];
}

function majorOf(path: string): number {
  return Number(/(\d+)/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 0);
}

/**
 * Runs the program with this process's stdin, stdout and stderr. The database URL is passed in the environment, where
 * other users cannot read it.
 */
export function runPgProgram(path: string, args: string[], databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const env = {
    PATH: process.env.PATH,
    PGHOST: url.hostname,
    PGPORT: url.port || '5432',
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: url.pathname.slice(1),
    PGSSLMODE: url.searchParams.get('sslmode') ?? 'prefer',
  };
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { env, stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${path} ended with ${code}`))));
  });
}
