import type { EntityManager } from '@mikro-orm/postgresql';
import { changed, rows, type SqlPart, withoutTimeLimit } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import type { CleanupAction } from '../contacts.constants.js';
import { lockForNewBulkJob } from './open-jobs.js';

/**
 * Maximum number of contacts that the call which deletes or changes a tag or field cleans up itself; more are left to a
 * job.
 */
const MAX_SYNCHRONOUS_CONTACTS = 2_000;

/** A clean-up: of a deleted tag or field that contacts still have, or of the values of a field that became a text. */
export type Cleanup =
  | { action: 'forgetTag'; tags: number[] }
  | { action: 'forgetField'; field: string }
  | { action: 'fieldToText'; field: string };

/**
 * SQL condition: the profile `p` of an account still needs the clean-up. For tags, the first part repeats the predicate
 * of the partial index.
 */
export function stillHas(ownerId: string, cleanup: Cleanup): SqlPart {
  switch (cleanup.action) {
    case 'forgetTag':
      return {
        sql: `p.owner_id = ? and p.tag_ids <> '{}' and p.tag_ids && ?::int[]`,
        params: [ownerId, sqlArray(cleanup.tags)],
      };
    case 'forgetField':
      return { sql: `p.owner_id = ? and jsonb_exists(p.fields, ?)`, params: [ownerId, cleanup.field] };
    case 'fieldToText':
      // The field may have been deleted meanwhile, and a new field with the same key may have another type.
      return {
        sql: `p.owner_id = ? and jsonb_typeof(p.fields -> ?::text) <> 'string'
          and exists (select 1 from profile_fields f where f.owner_id = ? and f.key = ? and f.type = 'text')`,
        params: [ownerId, cleanup.field, ownerId, cleanup.field],
      };
  }
}

/**
 * SQL expression: a value of any field as text.
 * @param value SQL of the JSON value, without parameters
 */
export const textOfValue = (value: string): string => `coalesce(case jsonb_typeof(${value})
    when 'array' then (select string_agg(part, ', ') from jsonb_array_elements_text(${value}) part)
    when 'boolean' then case when (${value})::boolean then 'yes' else 'no' end
    else ${value} #>> '{}' end, '')`;

const SET: Record<CleanupAction, string> = {
  forgetTag: `tag_ids = array(select t from unnest(p.tag_ids) with ordinality as u(t, place) where t <> all (c.tags) order by place)`,
  forgetField: `fields = p.fields - c.field`,
  fieldToText: `fields = jsonb_set(p.fields, array[c.field], to_jsonb(${textOfValue('(p.fields -> c.field)')}))`,
};

/** Removes the deleted tag or field from profiles, or rewrites the values of a field that became a text. */
export async function forget(em: EntityManager, cleanup: Cleanup, where: SqlPart): Promise<void> {
  const [tags, field] = cleanup.action === 'forgetTag' ? [cleanup.tags, null] : [[], cleanup.field];
  await changed(
    em,
    `update contact_profiles p set ${SET[cleanup.action]} from (select ?::int[] as tags, ?::text as field) c where ${where.sql}`,
    [sqlArray(tags), field, ...where.params],
  );
}

/**
 * Cleans up all profiles within the caller's transaction or, if there are more than MAX_SYNCHRONOUS_CONTACTS, leaves
 * the clean-up to a job.
 * @returns whether a job does the clean-up
 * @throws 409 if the account has too many open jobs
 */
export async function cleanUp(em: EntityManager, ownerId: string, cleanup: Cleanup): Promise<boolean> {
  const where = stillHas(ownerId, cleanup);
  // The search for values of a field reads all profiles of the account, because fields have no index.
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

/**
 * SQL condition: the job `j` still turns the values of a field of the account into text.
 * @param ownerId SQL expression
 */
const isRewrite = (ownerId: string): string =>
  `j.owner_id = ${ownerId} and j.action = 'fieldToText' and j.finished_at is null`;

/**
 * SQL expression: the keys of an account's text fields that may still have values of a former type.
 * @param ownerId SQL expression
 */
export const rewrittenKeys = (ownerId: string): string =>
  `array(select j.params ->> 'field' from contact_bulk_jobs j where ${isRewrite(ownerId)})`;

/**
 * SQL expression: the keys of an account's deleted fields whose values are not removed yet.
 * @param ownerId SQL expression
 */
export const forgottenKeys = (ownerId: string): string =>
  `array(select j.params ->> 'field' from contact_bulk_jobs j where j.owner_id = ${ownerId} and j.action = 'forgetField' and j.finished_at is null)`;

/** SQL expression: the values of a profile `p` as they will be after all pending clean-ups of its account. */
export const SHOWN_FIELDS = `case when p.fields = '{}' then p.fields else (p.fields || (
    select coalesce(jsonb_object_agg(j.params ->> 'field', ${textOfValue(`(p.fields -> (j.params ->> 'field'))`)}), '{}') from contact_bulk_jobs j
    where ${isRewrite('p.owner_id')} and jsonb_exists(p.fields, j.params ->> 'field'))) - ${forgottenKeys('p.owner_id')} end`;

/**
 * SQL expression: the value of a field that became a text, converted to text in case it still has the former type; null
 * if there is none.
 */
export const rewrittenValue = (key: string): SqlPart => ({
  sql: `(select ${textOfValue('w.value')} from (select p.fields -> ?::text as value) w where w.value is not null)`,
  params: [key],
});

/**
 * The clean-up that a bulk action stands for.
 * @returns null if the action is not a clean-up
 */
export function cleanupOf(action: string, params: { tags?: number[]; field?: string }): Cleanup | null {
  switch (action as CleanupAction) {
    case 'forgetTag':
      return { action: 'forgetTag', tags: params.tags ?? [] };
    case 'forgetField':
      return { action: 'forgetField', field: params.field ?? '' };
    case 'fieldToText':
      return { action: 'fieldToText', field: params.field ?? '' };
    default:
      return null;
  }
}
