import type { Pool, PoolClient } from 'pg';

const GRACE_MS = 10_000;

/**
 * Takes back connections that died in somebody's hands. A transaction whose rollback fails for want of a connection never
 * returns it (MikroORM 7.2 over Kysely's controlled transactions): two restarts of the database would fill the pool with dead ones.
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
