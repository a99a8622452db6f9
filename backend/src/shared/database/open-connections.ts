import type { MikroORM } from '@mikro-orm/postgresql';

/**
 * Opens the connections that the pool keeps, and lets each of them read what PostgreSQL knows of our tables. Opened when a burst of
 * requests wants them, thirty at a time, they take the processor for half a second from the very requests that wait for them.
 */
export async function openConnections(orm: MikroORM): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  const tables = [...new Set([...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName))].filter(Boolean);
  const lookAtAll = tables.map((table) => `(select 1 from "${table}" limit 0)`).join(' union all ');
  const opened = await Promise.all(Array.from({ length: pool.options.min ?? 0 }, () => pool.connect()));
  await Promise.all(opened.map((client) => client.query(lookAtAll).finally(() => client.release())));
}
