import { setTimeout as pause } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';

/** Key of the advisory lock for migrations: an arbitrary constant that all instances share. */
const MIGRATION_LOCK = 727_001;
const ASK_AGAIN_MS = 200;
const MAX_TRIES = 8;
const MAX_PAUSE_MS = 5_000;
/** SQLSTATEs of a lock timeout and of a deadlock. */
const BUSY_CODES = new Set(['55P03', '40P01']);

/**
 * Migrates the schema to the newest version. Instances that start at the same time take turns through an advisory lock;
 * only the first one finds migrations to run.
 */
export async function migrateOnce(orm: MikroORM): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  const client = await pool.connect();
  try {
    // Polls instead of blocking on the lock: a waiting statement would hold a snapshot, and CREATE INDEX CONCURRENTLY
    // waits for every snapshot.
    while (
      !(await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [MIGRATION_LOCK])).rows[0]
        ?.held
    )
      await pause(ASK_AGAIN_MS);
    await up(orm);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}

/**
 * Retries a migration after a lock timeout (see orm-config.ts) or a deadlock with a transaction that locks tables in
 * another order. A failed migration is rolled back, so the retry starts with it.
 */
async function up(orm: MikroORM): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await orm.migrator.up();
      return;
    } catch (error) {
      if (!BUSY_CODES.has((error as { code?: string }).code ?? '') || attempt === MAX_TRIES) throw error;
      await pause(Math.min(attempt * 1000, MAX_PAUSE_MS) * (0.5 + Math.random() / 2));
    }
  }
}
