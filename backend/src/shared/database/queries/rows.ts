import {
  DeadlockException,
  ForeignKeyConstraintViolationException,
  UniqueConstraintViolationException,
} from '@mikro-orm/core';
import type { EntityManager, Kysely } from '@mikro-orm/postgresql';

/** Runs statements for MikroORM: on its pool, or on the connection of a transaction. */
type Executor = Pick<Kysely<unknown>, 'executeQuery'>;
type Result<T> = Awaited<ReturnType<typeof execute<T>>>;

/** Part of a statement: SQL with `?` placeholders, and their values in order. */
export interface SqlPart {
  sql: string;
  params: unknown[];
}

/**
 * Runs SQL with `?` placeholders in the entity manager's current transaction and returns the rows. Values are bound as
 * parameters and never written into the text.
 * @throws MikroORM's exceptions for constraints and deadlocks, else the driver's error
 */
export async function rows<T extends object>(
  em: EntityManager,
  sql: string,
  params: readonly unknown[] = [],
): Promise<T[]> {
  return (await execute<T>(em, sql, params)).rows;
}

/** Like rows, but returns the number of affected rows. */
export async function changed(em: EntityManager, sql: string, params: readonly unknown[] = []): Promise<number> {
  const result: Result<object> = await execute<object>(em, sql, params);
  return Number(result.numAffectedRows ?? result.rows.length);
}

/** Removes the statement timeout for the rest of the current transaction. */
export async function withoutTimeLimit(em: EntityManager): Promise<void> {
  await rows(em, 'set local statement_timeout = 0');
}

/** Runs `act` in a new transaction, even if the caller is in one already. Rolls back if `act` throws. */
export const inTransaction = <T>(em: EntityManager, act: (em: EntityManager) => Promise<T>): Promise<T> =>
  em.fork().transactional(act);

async function execute<T>(em: EntityManager, sql: string, params: readonly unknown[]) {
  const connection = em.getConnection();
  await connection.ensureConnection();
  const executor: Executor = em.getTransactionContext<Kysely<unknown>>() ?? connection.getClient<unknown>();
  return executor.executeQuery<T>(statement(sql, params)).catch(rethrow);
}

/**
 * Builds the statement for the driver. MikroORM's own `execute` would write the values into the SQL text, character by
 * character.
 */
function statement(sql: string, params: readonly unknown[]): Parameters<Executor['executeQuery']>[0] {
  const values: unknown[] = [];
  let at = 0;
  const text = params.length === 0 ? sql : sql.replaceAll('?', () => placeholder(params[at++], values));
  if (at !== params.length) throw new Error(`a statement has ${at} placeholders and ${params.length} values`);
  return {
    sql: text,
    parameters: values,
    query: { kind: 'RawNode', sqlFragments: [text], parameters: [] },
    queryId: { queryId: '' },
  };
}

/**
 * Appends a value to `values` and returns its placeholder. Numbers and booleans are cast to the type that a literal
 * would have, because PostgreSQL cannot always derive it. For the same reason, null is written as a keyword.
 */
function placeholder(value: unknown, values: unknown[]): string {
  if (value === null || value === undefined) return 'null';
  values.push(value instanceof Date ? value.toISOString() : isLarge(value) ? new LargeText(value) : value);
  return `$${values.length}${castOf(value)}`;
}

const LARGE_TEXT_LENGTH = 64 * 1024;
const isLarge = (value: unknown): value is string => typeof value === 'string' && value.length > LARGE_TEXT_LENGTH;

/**
 * A text that is released once it was written to the connection. The driver keeps its queries for a long time, which
 * would keep large texts in memory.
 */
class LargeText {
  constructor(private text: string | null) {}

  /** The driver calls this once, when it binds the value. */
  toPostgres(): string {
    const { text } = this;
    if (text === null) throw new Error('a large value is bound once');
    this.text = null;
    return text;
  }
}

function castOf(value: unknown): string {
  if (typeof value === 'boolean') return '::bool';
  if (typeof value === 'bigint') return '::int8';
  if (typeof value !== 'number') return '';
  if (!Number.isFinite(value)) return '::float8';
  if (!Number.isInteger(value)) return '::numeric';
  return Math.abs(value) <= 0x7fffffff ? '::int4' : '::int8';
}

/**
 * Converts driver errors to MikroORM's exceptions; MikroORM does so only for its own methods. The new message omits the
 * conflicting values, which must not reach the log.
 */
function rethrow(error: Error & { code?: unknown }): never {
  switch (error.code) {
    case '23503':
      throw new ForeignKeyConstraintViolationException(error);
    case '23505':
      throw new UniqueConstraintViolationException(error);
    case '40001':
    case '40P01':
      throw new DeadlockException(error);
    default:
      throw error;
  }
}
