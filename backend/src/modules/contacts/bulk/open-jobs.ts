import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../shared/database/queries/rows.js';
import { tooManyBulkChanges } from '../contacts.errors.js';

/**
 * Maximum number of waiting and running bulk changes of one account. Limits how many changes another account waits for.
 */
const MAX_OPEN_BULK_JOBS = 3;

/**
 * Locks the start of bulk changes of the account until the transaction ends.
 * @throws 409 if the account has too many open changes
 */
export async function lockForNewBulkJob(em: EntityManager, ownerId: string): Promise<void> {
  await rows(em, `select pg_advisory_xact_lock(hashtextextended('contacts.bulk:' || ?, 0))`, [ownerId]);
  const [open] = await rows<{ n: number }>(
    em,
    `select count(*)::int as n from contact_bulk_jobs where owner_id = ? and finished_at is null`,
    [ownerId],
  );
  if ((open?.n ?? 0) >= MAX_OPEN_BULK_JOBS) throw tooManyBulkChanges(MAX_OPEN_BULK_JOBS);
}
