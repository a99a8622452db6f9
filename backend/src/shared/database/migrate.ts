import type { MikroORM } from '@mikro-orm/postgresql';

/** Key of the advisory lock under which migrations run: any constant, the same for all instances. */
const MIGRATION_LOCK = 727_001;

/** Brings the schema up to date; several instances that start together take turns and all but the first find nothing to do. */
export async function migrateOnce(orm: MikroORM): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await orm.migrator.up();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}
