import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from './rows.js';

/** What PostgreSQL answers when a statement took too long. */
const TIMED_OUT = '57014';

/** Whether a statement failed because it took too long. */
export const isTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === TIMED_OUT;

/**
 * Reads within the caller's transaction, each statement for so many milliseconds; what was written before stays.
 * @returns null where that is not enough
 */
export async function withinMs<T>(em: EntityManager, ms: number, read: () => Promise<T>): Promise<T | null> {
  await rows(em, 'savepoint within_ms');
  try {
    await rows(em, `select set_config('statement_timeout', ?::text, true)`, [String(ms)]);
    const found = await read();
    // Also takes the limit back.
    await rows(em, 'rollback to savepoint within_ms');
    return found;
  } catch (error) {
    await rows(em, 'rollback to savepoint within_ms');
    if (isTimeout(error)) return null;
    throw error;
  }
}
