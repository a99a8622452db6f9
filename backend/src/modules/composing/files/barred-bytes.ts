import type { EntityManager } from '@mikro-orm/postgresql';
import { changed } from '../../../shared/database/queries/rows.js';

/** SQL condition: an admin took down a file that has the same bytes as `f` and belongs to the same account. */
export const IS_TAKEN_DOWN = `exists (select 1 from taken_down_files t where t.user_id = f.user_id and t.sha256 = f.sha256)`;

/**
 * Bars the account of a file that was taken down from uploading the same bytes again. Does nothing for any other file.
 */
export async function barBytes(em: EntityManager, fileId: string): Promise<void> {
  await changed(
    em,
    `insert into taken_down_files (user_id, sha256)
     select user_id, sha256 from files where id = ? and taken_down_at is not null on conflict do nothing`,
    [fileId],
  );
}
