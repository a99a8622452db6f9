import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../shared/database/queries/rows.js';

/** Uploads and deletions of one user are done one after the other. */
export const lockFilesOf = (em: EntityManager, userId: string): Promise<object[]> =>
  rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`files:${userId}`]);

/** What an account keeps in the file storage. */
export interface StorageUsed {
  bytes: number;
  pictures: number;
  documents: number;
}

/** Where an upload depends on it, call it under `lockFilesOf`, so that it stays true until the commit. */
export async function storageUsed(em: EntityManager, userId: string): Promise<StorageUsed> {
  const [used] = await rows<StorageUsed>(
    em,
    `select coalesce(sum(byte_size) filter (where scan <> 'infected'), 0)::float8 as bytes, (count(*) filter (where kind = 'image'))::int as pictures,
       (count(*) filter (where kind = 'document'))::int as documents
     from files where user_id = ? and deleted_at is null`,
    [userId],
  );
  return used!;
}
