import { MikroORM } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import { migrations } from '../../../migrations/index.js';
import { type BackupSource, openPlain } from './backup-source.js';
import { loadRows } from './load-rows.js';
import { STAGING, StagingSchema } from './staging-schema.js';

/** Key of the advisory lock that restores take: an arbitrary constant. */
const RESTORE_LOCK = 727_003;
/**
 * Maximum wait for the restore lock after a failure. The server frees the lock once it notices that the connection has
 * ended.
 */
const DROP_PATIENCE = '10s';

/** Restores a file that `writeBackup` wrote; see restoreFrom. */
export async function readBackup(orm: MikroORM, file: string): Promise<void> {
  await restoreFrom(orm, await openPlain(file));
}

/**
 * Replaces the whole database by a backup. If the file is faulty, changes nothing. Builds a staging schema while the
 * live tables stay in use: runs the backup's migrations, loads the rows, and runs the newer migrations. One transaction
 * then swaps the schemas.
 */
export async function restoreFrom(orm: MikroORM, source: BackupSource): Promise<void> {
  let isHeld = false;
  try {
    const unknown = source.migrations.filter((name) => !migrations.some((migration) => migration.name === name));
    if (unknown.length > 0)
      throw new Error(`the backup is of a newer version (it has ${unknown.join(', ')}); restore it with that version`);
    await onConnection(orm, async (client) => {
      const {
        rows: [lock],
      } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [RESTORE_LOCK]);
      if (!lock!.held) throw new Error('another restore is running');
      isHeld = true;
      const staging = new StagingSchema(client, orm.config.get('clientUrl')!);
      await staging.create(source.migrations);
      const loaded = await loadRows(client, STAGING, source);
      const missing = source.namesEveryTable ? (await staging.tables()).filter((name) => !loaded.has(name)) : [];
      if (missing.length > 0) throw new Error(`the backup is damaged: it lacks ${missing.join(', ')}`);
      await staging.finish();
      await staging.swap();
      await free(client);
    }).catch(async (error: unknown) => {
      if (isHeld) await dropStaging(orm).catch(() => undefined);
      throw error;
    });
  } finally {
    source.close();
  }
}

/**
 * Removes the staging schema of a failed restore. Uses a new connection, because the previous one may have been closed
 * inside a COPY, and takes the lock, because another restore may be running. If this fails, the next restore removes
 * the schema.
 */
function dropStaging(orm: MikroORM): Promise<void> {
  return onConnection(orm, async (client) => {
    await client.query(`set lock_timeout = '${DROP_PATIENCE}'`);
    await client.query('select pg_advisory_lock($1)', [RESTORE_LOCK]);
    await new StagingSchema(client, '').drop();
    await free(client);
  });
}

/**
 * Frees the lock explicitly, so that the next restore can start at once. The server frees the lock of a closed
 * connection only when it notices the end.
 */
async function free(client: PoolClient): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [RESTORE_LOCK]);
}

/** Runs `work` on a connection and then destroys the connection, whatever its state. */
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
