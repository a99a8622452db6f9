import type { UpsertMode } from '../profiles/profile-upsert.js';

/** Type of a file's row for `jsonb_to_record`; the row's tags are given by name. */
export const PERSON_COLUMNS =
  'name text, first_name text, last_name text, company text, company_domain text, job_title text, phone text, phone_e164 text, city text, region text, country text, time_zone text, tags jsonb, note text, fields jsonb, attributes jsonb';

const PLAIN = ['company', 'job_title', 'phone', 'city', 'region', 'country'];

const CHANGES: Record<Exclude<UpsertMode, 'leave'>, (p: string, v: string) => string> = {
  fill: (
    p,
    v,
  ) => `(${p}.first_name is null and ${p}.last_name is null and (${v}.first_name is not null or ${v}.last_name is not null))
    or ${PLAIN.map((column) => `(${p}.${column} is null and ${v}.${column} is not null)`).join(' or ')}
    or (${p}.time_zone is null and ${v}.time_zone is not null)
    or exists (select 1 from jsonb_object_keys(${v}.fields) k where not jsonb_exists(${p}.fields, k))`,
  replace: (
    p,
    v,
  ) => `((${v}.first_name is not null or ${v}.last_name is not null) and (${v}.first_name, ${v}.last_name) is distinct from (${p}.first_name, ${p}.last_name))
    or ${PLAIN.map((column) => `(${v}.${column} is not null and ${v}.${column} is distinct from ${p}.${column})`).join(' or ')}
    or (${v}.time_zone is not null and ${v}.time_zone is distinct from ${p}.time_zone and not coalesce(${p}.time_zone_source in ('hand', 'person'), false))
    or (${v}.fields is not null and not ${p}.fields @> ${v}.fields)`,
};

interface Aliases {
  /** Alias of the existing profile. */
  profile: string;
  /** Alias of a row with PERSON_COLUMNS. */
  person: string;
  /** SQL of a jsonb object of tag ids, keyed by lower-case name. */
  tagIds: string;
  /** SQL of the int[] of tags that every row gets; -1 stands for a tag that is not created yet. */
  commonTags: string;
}

/** SQL condition: `upsertProfiles` in this mode, or the notes of `addNotes`, would change the profile. */
export function wouldChange(mode: UpsertMode, { profile: p, person: v, tagIds, commonTags }: Aliases): string {
  if (mode === 'leave') return 'false';
  return `(${CHANGES[mode](p, v)}
    or not (${commonTags} <@ ${p}.tag_ids)
    or exists (select 1 from jsonb_array_elements_text(${v}.tags) t(name) where not coalesce((${tagIds} ->> lower(t.name))::int = any (${p}.tag_ids), false))
    or (${v}.note is not null and not exists (select 1 from contact_notes n where n.profile_id = ${p}.id and n.body = ${v}.note)))`;
}

/** SQL of the int[] of all tags of a row. */
export const tagIdsOf = (person: string, tagIds: string, commonTags: string): string =>
  `case when ${person}.tags is null then ${commonTags} else array(
     select distinct id from (select unnest(${commonTags}) as id union all select (${tagIds} ->> lower(t.name))::int from jsonb_array_elements_text(${person}.tags) t(name)) ids where id is not null) end`;

/**
 * SQL statement that adds the notes of a relation with `profile_id, owner_id, note`, except notes that the profile
 * already has.
 */
export const addNotes = (from: string): string => `
  insert into contact_notes (profile_id, owner_id, body)
  select g.profile_id, g.owner_id, g.note from ${from} g
  where g.note is not null and not exists (select 1 from contact_notes n where n.profile_id = g.profile_id and n.body = g.note)
  returning profile_id`;
