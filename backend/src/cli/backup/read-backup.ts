import { MikroORM } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import { migrations } from '../../../migrations/index.js';
import { type BackupSource, openPlain } from './backup-source.js';
import { loadRows } from './load-rows.js';
import { STAGING, StagingSchema } from './staging-schema.js';

/** Key of the advisory lock that a restore holds: any constant. */
const RESTORE_LOCK = 727_003;

/** Like restoreFrom, of a file that writeBackup wrote. */
export async function readBackup(orm: MikroORM, file: string): Promise<void> {
  await restoreFrom(orm, await openPlain(file));
}

/**
 * Puts a backup in the place of everything that is there: all of it or, where anything is wrong with the file, nothing. It is built in a schema
 * of its own, one of an older version with that version's schema first and the newer migrations afterwards, while the live tables stay
 * in use; the last transaction swaps the two.
 */
export async function restoreFrom(orm: MikroORM, source: BackupSource): Promise<void> {
  try {
    const unknown = source.migrations.filter((name) => !migrations.some((migration) => migration.name === name));
    if (unknown.length > 0) throw new Error(`the backup is of a newer version (it has ${unknown.join(', ')}); restore it with that version`);
    await onConnection(orm, async (client) => {
      const { rows: [lock] } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [RESTORE_LOCK]);
      if (!lock!.held) throw new Error('another restore is running');
      const staging = new StagingSchema(client, orm.config.get('clientUrl')!);
      await staging.create(source.migrations);
      const loaded = await loadRows(client, STAGING, source);
      const missing = source.namesEveryTable ? (await staging.tables()).filter((name) => !loaded.has(name)) : [];
      if (missing.length > 0) throw new Error(`the backup is damaged: it lacks ${missing.join(', ')}`);
      await staging.finish();
      await staging.swap();
    }).catch(async (error: unknown) => {
      // On a connection of its own: the other may have been closed in the middle of a COPY.
      await onConnection(orm, (client) => new StagingSchema(client, '').drop()).catch(() => undefined);
      throw error;
    });
  } finally {
    source.close();
  }
}

/** The connection is closed afterwards, whatever state it is in. */
async function onConnection<T>(orm: MikroORM, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const pool = await orm.em.getConnection().getNativeClient();
  const client = (await pool.connect()) as unknown as PoolClient;
  try {
    await client.query('set statement_timeout = 0');
    return await work(client);
  } finally {
    client.release(true);
  }
}
