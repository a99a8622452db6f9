import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool, PoolClient } from 'pg';
import type { ProcessRole } from '../config/settings.js';

/**
 * Maximum wait for a pooled connection, in milliseconds. It is short on web instances, so that they answer 503 while
 * the client is still waiting.
 */
export const POOL_PATIENCE = { web: 4_000, worker: 20_000 };

/**
 * Statement timeout in milliseconds; 0: none. On a web instance, a dozen slow statements would otherwise occupy the
 * whole pool; long work opts out with `withoutTimeLimit`. Workers have no timeout. A process with both roles (ROLE=all)
 * has none either, because its pool cannot tell requests from jobs, and a timeout for requests alone would wrap each
 * read in a transaction: three statements instead of one. Operators who need the timeout run web and worker as two
 * processes.
 */
export const STATEMENT_MS: Record<ProcessRole, number> = { web: 5_000, all: 0, worker: 0, bounces: 0 };

/**
 * Minimum and maximum number of pooled connections. A web instance keeps enough connections for a burst, but no more
 * than its processors can use: it is better that a request waits briefly than that all requests slow each other down.
 */
export const POOL_LIMITS: Record<ProcessRole, { poolMin: number; poolMax: number }> = {
  web: { poolMin: 10, poolMax: 12 },
  all: { poolMin: 10, poolMax: 20 },
  worker: { poolMin: 0, poolMax: 20 },
  bounces: { poolMin: 0, poolMax: 6 },
};

/**
 * Opens the minimum number of connections at start and warms their catalogue caches. If they were opened during a
 * burst, this would take CPU time from the waiting requests: about half a second for thirty connections.
 */
export async function openConnections(orm: MikroORM): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  const tables = [...new Set([...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName))].filter(
    Boolean,
  );
  const touchAllTables = tables.map((table) => `(select 1 from "${table}" limit 0)`).join(' union all ');
  const opened = await Promise.all(Array.from({ length: pool.options.min ?? 0 }, () => pool.connect()));
  await Promise.all(opened.map((client) => client.query(touchAllTables).finally(() => client.release())));
}

const GRACE_MS = 10_000;

/**
 * Returns broken connections to the pool. MikroORM 7.2 (with Kysely's controlled transactions) never releases a
 * connection whose rollback failed, so two database restarts would fill the pool with dead connections.
 */
export function reclaimDeadConnections(pool: Pool): void {
  const held = new Set<PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      setTimeout(() => {
        if (held.has(client)) client.release(true);
      }, GRACE_MS).unref();
    });
  });
}
