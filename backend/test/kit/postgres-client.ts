import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.js';

const DEBIAN = '/usr/lib/postgresql';

/**
 * Folder of a PostgreSQL that is installed from packages. It has pg_dump and pg_restore, which the embedded one lacks.
 * @returns undefined if no such PostgreSQL is installed
 */
export function packagedPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((folder) => ['postgres', 'initdb', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))));
}

/** Starts the packaged PostgreSQL with this data folder. */
export async function startPackagedPostgres(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const user =
    process.getuid?.() === 0
      ? {
          uid: Number(spawnSync('id', ['-u', 'postgres']).stdout),
          gid: Number(spawnSync('id', ['-g', 'postgres']).stdout),
        }
      : {};
  const home = mkdtempSync(join(tmpdir(), 'staffcast-pg-'));
  if (user.uid) chownSync(home, user.uid, user.gid!);
  const data = join(home, 'data');
  const made = spawnSync(
    join(folder, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...user, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  const port = await freePort();
  const server = spawn(
    join(folder, 'postgres'),
    ['-D', data, '-p', String(port), '-k', home, '-h', '127.0.0.1', '-F'],
    { ...user, stdio: 'ignore' },
  );
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      break;
    } catch (error) {
      if (tries > 100) throw error;
      await pause(100);
    }
  }
  return {
    url,
    stop: async () => {
      const ended = new Promise((done) => server.once('exit', done));
      server.kill('SIGINT');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
