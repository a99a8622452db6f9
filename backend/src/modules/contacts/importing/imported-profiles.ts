import type { EntityManager } from '@mikro-orm/postgresql';
import { changed, rows } from '../../../shared/database/queries/rows.js';

/** Identifies the profiles that one import created. */
export interface ImportedProfiles {
  ownerId: string;
  importId: string;
  /** When the import began to create profiles; older profiles are not searched. */
  since: Date;
}

const MADE = `p.owner_id = ? and p.created_at >= ?::timestamptz and p.import_id = ?::uuid`;
const paramsOf = ({ ownerId, since, importId }: ImportedProfiles): unknown[] => [ownerId, since, importId];

/**
 * Deletes at most `limit` profiles that an import created and that were never mailed, within the caller's transaction.
 * @param where further SQL condition over the alias `p`
 * @returns number of deleted profiles
 */
export const removeImported = (
  em: EntityManager,
  profiles: ImportedProfiles,
  where: string,
  limit: number,
): Promise<number> =>
  changed(
    em,
    `delete from contact_profiles where id in (
       select p.id from contact_profiles p where ${MADE} and ${where} and not exists (select 1 from contact_activity a where a.profile_id = p.id) limit ${limit} for update)`,
    paramsOf(profiles),
  );

/**
 * Number of profiles that an import created.
 * @param where SQL condition over the alias `p`
 */
export async function countImported(em: EntityManager, profiles: ImportedProfiles, where: string): Promise<number> {
  const [found] = await rows<{ n: number }>(
    em,
    `select count(*)::int as n from contact_profiles p where ${MADE} and ${where}`,
    paramsOf(profiles),
  );
  return found?.n ?? 0;
}
