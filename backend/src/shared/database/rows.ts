import { DeadlockException, ForeignKeyConstraintViolationException, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager, PostgreSqlConnection } from '@mikro-orm/postgresql';

/**
 * Runs SQL with `?` placeholders inside the entity manager's present transaction and returns its rows.
 * @throws the library's exceptions for broken constraints and deadlocks, as its own methods do; else the driver's error
 */
export async function rows<T extends object>(em: EntityManager, sql: string, params: readonly unknown[] = []): Promise<T[]> {
  return em.getConnection().execute<T[]>(sql, params, 'all', em.getTransactionContext()).catch(rethrow);
}

/** Lets the statements of the present transaction run for any time, also on a web instance. */
export async function withoutTimeLimit(em: EntityManager): Promise<void> {
  await rows(em, 'set local statement_timeout = 0');
}

/** Like rows, for a statement of which only the number of changed rows matters. */
export async function changed(em: EntityManager, sql: string, params: readonly unknown[] = []): Promise<number> {
  const result = await em.getConnection().execute<{ affectedRows: number }>(sql, params, 'run', em.getTransactionContext()).catch(rethrow);
  return result.affectedRows;
}

/**
 * Like rows, for values of many kilobytes: outside a transaction they travel beside the statement. The library writes values into
 * the text, letter by letter.
 */
export async function bulkRows<T extends object>(em: EntityManager, sql: string, params: readonly unknown[]): Promise<T[]> {
  if (em.getTransactionContext()) return rows(em, sql, params);
  const pool = await (em.getConnection() as PostgreSqlConnection).getNativeClient();
  return (await pool.query<T>(numbered(sql), [...params]).catch(rethrow)).rows;
}

/** The library converts errors of its own methods only. Its converter would add the conflicting values to the message, which is logged. */
function rethrow(error: Error & { code?: unknown }): never {
  switch (error.code) {
    case '23503': throw new ForeignKeyConstraintViolationException(error);
    case '23505': throw new UniqueConstraintViolationException(error);
    case '40001':
    case '40P01': throw new DeadlockException(error);
    default: throw error;
  }
}

function numbered(sql: string): string {
  let n = 0;
  return sql.replaceAll('?', () => `$${++n}`);
}
