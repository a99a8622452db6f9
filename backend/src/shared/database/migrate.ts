import { setTimeout as pause } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';

/** Key of the advisory lock under which migrations run: any constant, the same for all instances. */
const MIGRATION_LOCK = 727_001;
const ASK_AGAIN_MS = 200;
const TRIES = 5;
const LOCK_NOT_AVAILABLE = '55P03';

/** Brings the schema up to date; several instances that start together take turns and all but the first find nothing to do. */
export async function migrateOnce(orm: MikroORM): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  const client = await pool.connect();
  try {
    // Asked for again and again: a statement that waits would hold a snapshot, and an index built concurrently waits for that.
    while (!(await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [MIGRATION_LOCK])).rows[0]?.held) await pause(ASK_AGAIN_MS);
    await up(orm);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}

/** A migration that had to wait for a lock gave up (see orm-config.ts) rather than make everyone wait behind it. */
async function up(orm: MikroORM, attempt = 1): Promise<void> {
  try {
    await orm.migrator.up();
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === TRIES) throw error;
    await pause(attempt * 1000);
    await up(orm, attempt + 1);
  }
}
