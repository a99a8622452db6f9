import type { EntityManager } from '@mikro-orm/postgresql';

/** Runs SQL with `?` placeholders inside the entity manager's present transaction and returns its rows. */
export async function rows<T extends object>(em: EntityManager, sql: string, params: readonly unknown[] = []): Promise<T[]> {
  return em.getConnection().execute<T[]>(sql, params, 'all', em.getTransactionContext());
}

/** Like rows, for a statement of which only the number of changed rows matters. */
export async function changed(em: EntityManager, sql: string, params: readonly unknown[] = []): Promise<number> {
  const result = await em.getConnection().execute<{ affectedRows: number }>(sql, params, 'run', em.getTransactionContext());
  return result.affectedRows;
}
