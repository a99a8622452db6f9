import type { EntityManager } from '@mikro-orm/postgresql';
import { changed, rows, type SqlPart, withoutTimeLimit } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import type { CleanupAction } from '../contacts.constants.js';
import { lockForNewBulkJob } from './open-jobs.js';

/** Up to this many contacts are changed by the call that deletes a tag or field; more are changed by a job. */
const MAX_SYNCHRONOUS_CONTACTS = 2_000;

/** A deleted tag or field that contacts still have. */
export type Cleanup = { action: 'forgetTag'; tags: number[] } | { action: 'forgetField'; field: string };

/** SQL condition: the profile `p` of an account still has what was deleted. The first condition on tags repeats the predicate of the partial index. */
export const stillHas = (ownerId: string, cleanup: Cleanup): SqlPart =>
  cleanup.action === 'forgetTag'
    ? {
        sql: `p.owner_id = ? and p.tag_ids <> '{}' and p.tag_ids && ?::int[]`,
        params: [ownerId, sqlArray(cleanup.tags)],
      }
    : { sql: `p.owner_id = ? and jsonb_exists(p.fields, ?)`, params: [ownerId, cleanup.field] };

/** Removes the deleted tag or field from profiles. */
export async function forget(em: EntityManager, cleanup: Cleanup, where: SqlPart): Promise<void> {
  const [set, value] =
    cleanup.action === 'forgetTag'
      ? [
          `tag_ids = array(select t from unnest(p.tag_ids) with ordinality as u(t, place) where t <> all (?::int[]) order by place)`,
          sqlArray(cleanup.tags),
        ]
      : [`fields = p.fields - ?::text`, cleanup.field];
  await changed(em, `update contact_profiles p set ${set} where ${where.sql}`, [value, ...where.params]);
}

/**
 * Removes a deleted tag or field from all profiles, within the caller's transaction; where more than
 * MAX_SYNCHRONOUS_CONTACTS have it, by a job.
 * @returns whether it is left to a job
 * @throws 409 where the account has too many jobs open
 */
export async function cleanUp(em: EntityManager, ownerId: string, cleanup: Cleanup): Promise<boolean> {
  const where = stillHas(ownerId, cleanup);
  // Looking for values of a field reads all profiles of the account, because fields have no index.
  await withoutTimeLimit(em);
  const [found] = await rows<{ n: number }>(
    em,
    `select count(*)::int as n from (select 1 from contact_profiles p where ${where.sql} limit ${MAX_SYNCHRONOUS_CONTACTS + 1}) few`,
    where.params,
  );
  if ((found?.n ?? 0) <= MAX_SYNCHRONOUS_CONTACTS) {
    await forget(em, cleanup, where);
    return false;
  }
  await lockForNewBulkJob(em, ownerId);
  const { action, ...params } = cleanup;
  await changed(
    em,
    `insert into contact_bulk_jobs (owner_id, action, params, selection) values (?, ?, ?::jsonb, '{}'::jsonb)`,
    [ownerId, action, JSON.stringify(params)],
  );
  return true;
}

/** SQL expression of the keys of an account's deleted fields whose values are still there. @param ownerId SQL expression */
export const forgottenKeys = (ownerId: string): string =>
  `array(select j.params ->> 'field' from contact_bulk_jobs j where j.owner_id = ${ownerId} and j.action = 'forgetField' and j.finished_at is null)`;

/** The clean-up that a job carries out; null for a change that a user requested. */
export function cleanupOf(action: string, params: { tags?: number[]; field?: string }): Cleanup | null {
  switch (action as CleanupAction) {
    case 'forgetTag':
      return { action: 'forgetTag', tags: params.tags ?? [] };
    case 'forgetField':
      return { action: 'forgetField', field: params.field ?? '' };
    default:
      return null;
  }
}
