import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../shared/database/queries/rows.js';
import { rewriteRuns } from '../contacts.errors.js';

/**
 * Locks an account's large rewrites of profiles until the transaction ends, so that one account occupies at most one
 * connection with them.
 * @throws 409 where another such change of the account runs
 */
export async function lockRewrite(em: EntityManager, ownerId: string): Promise<void> {
  const [lock] = await rows<{ free: boolean }>(
    em,
    `select pg_try_advisory_xact_lock(hashtextextended('contacts.rewrite:' || ?, 0)) as free`,
    [ownerId],
  );
  if (!lock?.free) throw rewriteRuns();
}
