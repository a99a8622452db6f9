import { open } from 'node:fs/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { migrateOnce } from '../../shared/database/migrate.js';
import { rows } from '../../shared/database/rows.js';
import { findPgProgram, runPgProgram } from './pg-programs.js';
import { readBackup } from './read-backup.js';
import { writeBackup } from './write-backup.js';

type Say = (text: string) => number;

/** By pg_dump, in its custom format, where one for this server is at hand; else by ourselves, in its plain format. @returns the exit code */
export async function backUp(orm: MikroORM, databaseUrl: string, file: string, say: Say): Promise<number> {
  const program = findPgProgram('pg_dump', await serverMajor(orm));
  if (program) {
    await runPgProgram(program, ['--format=custom', '--no-owner', '--no-privileges', '--file', file], databaseUrl);
    return say(`The database is in ${file} (pg_dump's custom format).`);
  }
  const count = await writeBackup(orm, file);
  return say(`The database is in ${file}: ${count} rows (SQL, gzipped).`);
}

/** Takes both kinds. @returns the exit code */
export async function restore(orm: MikroORM, databaseUrl: string, file: string, say: Say): Promise<number> {
  if (await isCustomFormat(file)) {
    const program = findPgProgram('pg_restore', await serverMajor(orm));
    if (!program) throw new Error('the file is in pg_dump\'s custom format: install the PostgreSQL client of the server\'s version, which has pg_restore');
    await runPgProgram(program, ['--single-transaction', '--clean', '--if-exists', '--no-owner', '--no-privileges', '--dbname', new URL(databaseUrl).pathname.slice(1), file], databaseUrl);
    await migrateOnce(orm);
  } else {
    await readBackup(orm, file);
  }
  return say(`The database is as it was when ${file} was written. Restart the instances.`);
}

async function isCustomFormat(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(5), 0, 5, 0);
    return buffer.toString() === 'PGDMP';
  } finally {
    await handle.close();
  }
}

async function serverMajor(orm: MikroORM): Promise<number> {
  const [row] = await rows<{ major: number }>(orm.em.fork(), `select current_setting('server_version_num')::int / 10000 as major`);
  return row!.major;
}
