import { allOf } from '../../../shared/database/queries/all-of.js';
import { contains, type Keyset, startsWith } from '../../../shared/database/queries/keyset.js';
import { COUNT_LIMIT } from '../../../shared/database/queries/read-page.js';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import { hasTrigram, MAX_SCANNED_ROWS } from '../../../shared/database/queries/substring-search.js';
import type { ProfileConsent } from '../contacts.constants.js';
import type { MembershipSource } from './memberships.registry.js';

/** Criteria by which the contacts page is filtered. */
export interface ProfileCriteria {
  search?: string;
  list?: string;
  tag?: number;
  consent?: ProfileConsent;
  domain?: string;
  /** Id of the import that added the contact. */
  import?: string;
  /** Id of a saved segment. */
  segment?: string;
}

/** Maximum number of matching memberships from which people are counted. A person may be on several lists. */
const COUNTED_MEMBERSHIPS = 5 * COUNT_LIMIT;

/** SQL expressions, equal to those of the indexes of contact_profiles. */
export const NAME_KEY = `lower(coalesce(p.last_name, p.first_name, '')) collate "C"`;
export const COMPANY_KEY = `lower(coalesce(p.company, '')) collate "C"`;
const FIRST_NAME_KEY = `lower(p.first_name) collate "C"`;
/** SQL expressions of which a search matches the beginning (`like 'text%'`). Each one has its own index. */
const PREFIX_KEYS = ['p.email_norm collate "C"', NAME_KEY, FIRST_NAME_KEY, COMPANY_KEY];

/** The search text in the form that the indexes have; empty if there is none. */
export const searchText = ({ search }: ProfileCriteria): string => search?.trim().toLowerCase() ?? '';

/**
 * SQL condition over profiles `p` of one account.
 * @param isLarge whether the account has too many contacts for a search that reads all of them
 * @param segment SQL condition of the criteria's segment
 */
export function profileCondition(
  ownerId: string,
  criteria: ProfileCriteria,
  lists: MembershipSource,
  isLarge: boolean,
  segment: SqlPart | null,
): SqlPart {
  const text = searchText(criteria);
  return allOf([
    ['p.owner_id = ?', ownerId],
    criteria.domain && ['p.company_domain = lower(?)', criteria.domain],
    criteria.import && ['p.import_id = ?::uuid', criteria.import],
    // The first part repeats the predicate of the partial index; without it the index is not used.
    criteria.tag !== undefined && [`p.tag_ids <> '{}' and p.tag_ids @> array[?::int]`, criteria.tag],
    criteria.list && lists.onList(criteria.list),
    criteria.consent && lists.consentIs(ownerId, criteria.consent),
    segment,
    text && (isLarge ? indexedSearch(ownerId, text, lists) : scanningSearch(text)),
  ]);
}

function scanningSearch(text: string): SqlPart {
  const start = startsWith(text);
  return {
    sql: `(p.email_norm like ? or ${NAME_KEY} like ? or ${FIRST_NAME_KEY} like ? or ${COMPANY_KEY} like ?)`,
    params: [contains(text), start, start, start],
  };
}

/** SQL condition of a search with a separate index for each part. */
function indexedSearch(ownerId: string, text: string, lists: MembershipSource): SqlPart {
  const parts = indexedParts(ownerId, text, lists);
  return {
    sql: `p.id in (${parts.map(({ sql }) => sql).join(' union all ')})`,
    params: parts.flatMap(({ params }) => params),
  };
}

/** The same condition as `indexedSearch`, for profiles that are read in order without these indexes. */
function sameAsIndexed(text: string): SqlPart {
  const starts = PREFIX_KEYS.map((key) => `${key} like ?`).join(' or ');
  const params = PREFIX_KEYS.map(() => startsWith(text));
  if (!hasTrigram(text)) return { sql: `(${starts})`, params };
  return {
    sql: `(${starts} or p.email_norm like ? and exists (select 1 from subscriptions c where c.profile_id = p.id))`,
    params: [...params, contains(text)],
  };
}

/**
 * Queries for the ids of the profiles that a text finds, one per index. The last query may return a profile several
 * times.
 */
function indexedParts(ownerId: string, text: string, lists: MembershipSource): SqlPart[] {
  const own = (key: string): SqlPart => ({
    sql: `select p.id from contact_profiles p where p.owner_id = ? and ${key} like ?`,
    params: [ownerId, startsWith(text)],
  });
  return [...PREFIX_KEYS.map(own), ...(hasTrigram(text) ? [lists.addressContains(ownerId, text)] : [])];
}

/**
 * Common table expressions about the contacts that a text alone finds. `found` has their ids (column id). `counted` has
 * one row: `total`, the number of rows of `found`, and `is_whole`, whether `found` has all contacts. `is_whole` is false
 * if there are more than COUNT_LIMIT, which `total` then exceeds, or if at least COUNTED_MEMBERSHIPS memberships match,
 * because no more are read.
 * Each index is read once. No index is read once an earlier one has found more than COUNT_LIMIT.
 */
export function searchSql(ownerId: string, text: string, lists: MembershipSource): SqlPart {
  const parts = indexedParts(ownerId, text, lists);
  const names = parts.map((_part, i) => `part${i}`);
  const mostOf = (i: number): number => (i < PREFIX_KEYS.length ? COUNT_LIMIT + 1 : COUNTED_MEMBERSHIPS);
  const countOf = (name: string): string => `(select count(*) from ${name})`;
  // The condition does not depend on the rows, so PostgreSQL evaluates it once, before it reads the index.
  const isAsked = (i: number): string =>
    ['true', ...names.slice(0, i).map((name) => `${countOf(name)} <= ${COUNT_LIMIT}`)].join(' and ');
  const addresses = names[PREFIX_KEYS.length];
  const isUncut = addresses ? `${countOf(addresses)} < ${COUNTED_MEMBERSHIPS}` : 'true';
  const expressions = [
    ...parts.map(({ sql }, i) => [
      names[i]!,
      `select m.id from (${sql}) m (id) where ${isAsked(i)} limit ${mostOf(i)}`,
    ]),
    ['found', `${names.map((name) => `select id from ${name}`).join(' union ')} limit ${COUNT_LIMIT + 1}`],
    [
      'counted',
      `select f.total, f.total <= ${COUNT_LIMIT} and ${isUncut} as is_whole from ${countOf('found')} f (total)`,
    ],
  ];
  return {
    sql: expressions.map(([name, sql]) => `${name} as materialized (${sql})`).join(', '),
    params: parts.flatMap(({ params }) => params),
  };
}

/**
 * SQL of a table: the first matches of a text among the next MAX_SCANNED_ROWS contacts in the page's order. It may have
 * fewer rows than `limit` although there are further matches.
 */
export function matchesInOrder(ownerId: string, text: string, keyset: Keyset, limit: number): SqlPart {
  const found = sameAsIndexed(text);
  const next = `select * from contact_profiles p where p.owner_id = ? and ${keyset.where} order by ${keyset.orderBy} limit ${MAX_SCANNED_ROWS}`;
  return {
    sql: `(select * from (${next}) p where ${found.sql} order by ${keyset.orderBy} limit ?)`,
    params: [ownerId, ...keyset.params, ...found.params, limit],
  };
}
