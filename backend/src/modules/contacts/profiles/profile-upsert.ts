import { CONTACT_LIMITS } from '../contacts.constants.js';

/** Columns of the rows that become profiles. No two rows have the same owner and address. */
export const INCOMING_COLUMNS =
  'owner_id, email, email_norm, email_hash, company_domain, first_name, last_name, company, job_title, phone, phone_e164, city, region, country, time_zone, tag_ids, fields, source, import_id, import_line, created_at';

/**
 * SQL of a UUID version 7. Such ids grow with time, so that a large import writes to one end of the primary key's
 * index.
 */
const TIME_ORDERED_ID = `encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
  placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid`;

/**
 * What happens to an existing profile: fill only its empty values, replace its values by the given ones, or leave it
 * unchanged.
 */
export type UpsertMode = 'fill' | 'replace' | 'leave';

/**
 * First and last name are taken together, so that a first name of one source never combines with a last name of
 * another.
 */
const IS_UNNAMED = 'p.first_name is null and p.last_name is null';
const IS_NAMED_NOW = 'excluded.first_name is not null or excluded.last_name is not null';

const PLAIN = ['company', 'job_title', 'city', 'region', 'country'];

/**
 * SQL condition: the profile keeps its time zone. A zone that was set by hand or by the person is never replaced by a
 * zone from a file.
 */
const IS_ZONE_KEPT: Record<'fill' | 'replace', string> = {
  fill: 'p.time_zone is not null or excluded.time_zone is null',
  replace: `excluded.time_zone is null or coalesce(p.time_zone_source in ('hand', 'person'), false)`,
};

const names = (isTaken: string): string =>
  ['first_name', 'last_name']
    .map((column) => `${column} = case when ${isTaken} then excluded.${column} else p.${column} end`)
    .join(', ');

/** SQL assignment that appends new tags to the existing ones, up to the maximum per contact. */
const TAGS = `tag_ids = case when excluded.tag_ids <@ p.tag_ids then p.tag_ids
      else (p.tag_ids || array(select t from unnest(excluded.tag_ids) t where t <> all (p.tag_ids)))[1:${CONTACT_LIMITS.tagsPerContact}] end`;

const zone = (mode: 'fill' | 'replace'): string =>
  `time_zone = case when ${IS_ZONE_KEPT[mode]} then p.time_zone else excluded.time_zone end,
    time_zone_source = case when ${IS_ZONE_KEPT[mode]} then p.time_zone_source else 'file' end`;

const CREATED = 'created_at = least(p.created_at, excluded.created_at)';

const SET: Record<UpsertMode, string> = {
  fill: `${names(IS_UNNAMED)}, ${PLAIN.map((column) => `${column} = coalesce(p.${column}, excluded.${column})`).join(', ')},
    phone_e164 = case when p.phone is null then excluded.phone_e164 else p.phone_e164 end, phone = coalesce(p.phone, excluded.phone),
    ${zone('fill')}, ${TAGS}, fields = excluded.fields || p.fields, ${CREATED}`,
  replace: `${names(IS_NAMED_NOW)}, ${PLAIN.map((column) => `${column} = coalesce(excluded.${column}, p.${column})`).join(', ')},
    phone_e164 = case when excluded.phone is null then p.phone_e164 else excluded.phone_e164 end, phone = coalesce(excluded.phone, p.phone),
    ${zone('replace')}, ${TAGS}, fields = p.fields || excluded.fields, ${CREATED}`,
  leave: CREATED,
};

/**
 * SQL statement that creates or updates a profile for each row of a relation, and returns `id, email_hash, first_name,
 * last_name, is_new`. Locks the profiles until the transaction ends, so that they cannot be deleted meanwhile; the
 * order of the locks is fixed, so that two writers cannot deadlock. Usable within a CTE.
 * @param from a relation with INCOMING_COLUMNS
 */
export const upsertProfiles = (from: string, mode: UpsertMode = 'fill'): string => `
  insert into contact_profiles as p (id, ${INCOMING_COLUMNS}, time_zone_source)
  select ${TIME_ORDERED_ID}, ${INCOMING_COLUMNS}, case when time_zone is not null then 'file' end
  from (select * from ${from} order by email_hash) incoming
  on conflict (owner_id, email_hash) do update set ${SET[mode]}
  returning p.id, p.email_hash, p.first_name, p.last_name, p.xmax = 0 as is_new`;

/**
 * SQL of the three name columns of a membership, taken from the profile. If the given name equals the profile's name,
 * the given spelling is kept.
 * @param profile alias of the profile
 * @param row alias with name, first_name and last_name as given
 */
export const copiedNames = (profile: string, row: string): { name: string; first: string; last: string } => {
  const isSame = `(${profile}.first_name is null and ${profile}.last_name is null)
    or (${row}.first_name is not distinct from ${profile}.first_name and ${row}.last_name is not distinct from ${profile}.last_name)`;
  return {
    name: `case when ${isSame} then ${row}.name else concat_ws(' ', ${profile}.first_name, ${profile}.last_name) end`,
    first: `coalesce(${profile}.first_name, case when ${profile}.last_name is null then ${row}.first_name end)`,
    last: `coalesce(${profile}.last_name, case when ${profile}.first_name is null then ${row}.last_name end)`,
  };
};
