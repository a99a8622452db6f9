import type { MikroORM } from '@mikro-orm/postgresql';
import { rows } from '../../shared/database/queries/rows.js';
import { isCustomFormat, openCustom } from './backup-source.js';
import { findPgProgram, runPgProgram } from './pg-programs.js';
import { readBackup, restoreFrom } from './read-backup.js';
import { STAGING } from './staging-schema.js';
import { writeBackup } from './write-backup.js';

type Say = (text: string) => number;

/**
 * Writes a backup with pg_dump (custom format). Where no installed pg_dump supports the server's version, writes it
 * with our own writer (plain format).
 * @returns the exit code
 */
export async function backUp(orm: MikroORM, databaseUrl: string, file: string, say: Say): Promise<number> {
  const program = findPgProgram('pg_dump', await serverMajor(orm));
  if (program) {
    await runPgProgram(
      program,
      ['--format=custom', '--no-owner', '--no-privileges', `--exclude-schema=${STAGING}`, '--file', file],
      databaseUrl,
    );
    return say(`The database is in ${file} (pg_dump's custom format).`);
  }
  const count = await writeBackup(orm, file);
  return say(`The database is in ${file}: ${count} rows (SQL, gzipped).`);
}

/**
 * Restores a backup of either format.
 * @returns the exit code
 * @throws if the file is damaged, from a newer version or no backup; the database is then unchanged
 */
export async function restore(orm: MikroORM, file: string, say: Say): Promise<number> {
  if (await isCustomFormat(file)) {
    const program = findPgProgram('pg_restore', await serverMajor(orm));
    if (!program)
      throw new Error(
        "the file is in pg_dump's custom format: install the PostgreSQL client of the server's version, which has pg_restore",
      );
    await restoreFrom(orm, await openCustom(program, file));
  } else {
    await readBackup(orm, file);
  }
  return say(`The database is as it was when ${file} was written. Restart the instances.`);
}

async function serverMajor(orm: MikroORM): Promise<number> {
  const [row] = await rows<{ major: number }>(
    orm.em.fork(),
    `select current_setting('server_version_num')::int / 10000 as major`,
  );
  return row!.major;
}
