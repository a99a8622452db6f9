import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../shared/database/queries/rows.js';
import { tooManyBulkChanges } from '../contacts.errors.js';

/** Most bulk changes of one account that may wait or run at a time. Another account waits for at most this many. */
const MAX_OPEN_BULK_JOBS = 3;

/** Locks the account's changes of many contacts until the transaction ends. @throws 409 where it has too many open */
export async function lockForNewBulkJob(em: EntityManager, ownerId: string): Promise<void> {
  await rows(em, `select pg_advisory_xact_lock(hashtextextended('contacts.bulk:' || ?, 0))`, [ownerId]);
  const [open] = await rows<{ n: number }>(
    em,
    `select count(*)::int as n from contact_bulk_jobs where owner_id = ? and finished_at is null`,
    [ownerId],
  );
  if ((open?.n ?? 0) >= MAX_OPEN_BULK_JOBS) throw tooManyBulkChanges(MAX_OPEN_BULK_JOBS);
}
