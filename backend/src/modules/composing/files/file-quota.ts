import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../shared/database/queries/rows.js';

/** Locks the files of a user until the transaction ends, so that uploads and deletions run one at a time. */
export const lockFilesOf = (em: EntityManager, userId: string): Promise<object[]> =>
  rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`files:${userId}`]);

/** Number of pictures and of other files of an account, and the total size of both in bytes. */
export interface StorageUsed {
  bytes: number;
  pictures: number;
  files: number;
}

/**
 * Reads the space in use. If an upload depends on the result, call this under `lockFilesOf`, so that the result remains
 * true until the commit.
 */
export async function storageUsed(em: EntityManager, userId: string): Promise<StorageUsed> {
  const [used] = await rows<StorageUsed>(
    em,
    `select coalesce(sum(byte_size) filter (where scan <> 'infected'), 0)::float8 as bytes, (count(*) filter (where kind = 'image'))::int as pictures,
       (count(*) filter (where kind = 'document'))::int as files
     from files where user_id = ? and deleted_at is null`,
    [userId],
  );
  return used!;
}
