import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../shared/database/queries/rows.js';
import { rewriteRuns } from '../contacts.errors.js';

/**
 * Locks large rewrites of an account's profiles until the transaction ends, so that they use at most one connection per
 * account.
 * @throws 409 if another large rewrite of the account runs
 */
export async function lockRewrite(em: EntityManager, ownerId: string): Promise<void> {
  const [lock] = await rows<{ free: boolean }>(
    em,
    `select pg_try_advisory_xact_lock(hashtextextended('contacts.rewrite:' || ?, 0)) as free`,
    [ownerId],
  );
  if (!lock?.free) throw rewriteRuns();
}
