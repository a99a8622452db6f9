import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from './rows.js';

/** SQLSTATE of a statement that exceeded its timeout. */
const TIMED_OUT = '57014';

/** Whether a statement failed because it took too long. */
export const isTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === TIMED_OUT;

/**
 * Runs `read` within the caller's transaction, with a time limit for each of its statements. Keeps what the transaction
 * wrote before.
 * @param ms limit in milliseconds
 * @returns null if a statement exceeded the limit
 */
export async function withinMs<T>(em: EntityManager, ms: number, read: () => Promise<T>): Promise<T | null> {
  await rows(em, 'savepoint within_ms');
  try {
    await rows(em, `select set_config('statement_timeout', ?::text, true)`, [String(ms)]);
    const found = await read();
    // The rollback also restores the previous statement timeout.
    await rows(em, 'rollback to savepoint within_ms');
    return found;
  } catch (error) {
    await rows(em, 'rollback to savepoint within_ms');
    if (isTimeout(error)) return null;
    throw error;
  }
}
