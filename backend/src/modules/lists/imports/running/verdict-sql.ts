import type { SqlPart } from '../../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../../shared/database/queries/sql-array.js';
import { PERSON_COLUMNS, type UpsertMode, wouldChange } from '../../../contacts/index.js';
import { SUPPRESSION_APPLIES, HAS_UNSUBSCRIBED } from '../../unsubscribe/suppression-sql.js';

/** The account's data for judging lines. */
export interface JudgingScope {
  importId: string;
  ownerId: string | null;
  listId: string | null;
  isDirect: boolean;
  existing: UpsertMode;
  /** Number of contacts that still fit the plan; null for unlimited. */
  room: number | null;
  /** Ids of the account's tags by lower-case name. */
  tagIds: ReadonlyMap<string, number>;
  /** Names of the tags that every imported person gets. */
  commonTags: readonly string[];
  /** Whether domains that take no mail are refused. */
  checksDomains: boolean;
}

/**
 * SQL relation of the domains for which DNS has answered whether they take mail. Answers count one day longer here than
 * for lookups, so that none expires during a check.
 */
export const KNOWN_DOMAINS = `(select domain, takes_mail from mail_domains where looked_up_at > now() - interval '8 days')`;

/** Placeholder id of a tag that the commit will create. */
const NO_TAG = -1;

/**
 * SQL relation `f`: the rows of a relation `b` with the columns of contact_import_rows, and the current facts about
 * each: PERSON_COLUMNS, is_suppressed, is_listed, is_listed_by_this, is_known, would_change.
 * @param comparesProfiles false: would_change is not computed, but always false
 */
export function factsOf(batch: SqlPart, scope: JudgingScope, comparesProfiles = true): SqlPart {
  const { importId, ownerId, listId, existing, tagIds, commonTags } = scope;
  const aliases = { profile: 'p', person: 'v', tagIds: 'k.known_tags', commonTags: 'k.common_tags' };
  const changes = comparesProfiles ? wouldChange(existing, aliases) : 'false';
  return {
    sql: `
    select b.*, v.*, k.known_tags, k.common_tags, c.id is not null as is_listed, coalesce(c.import_id = ?::uuid, false) as is_listed_by_this, p.id is not null as is_known, p.id is not null and ${changes} as would_change,
      exists (select 1 from suppressions s where s.address_hash = b.email_hash and ${SUPPRESSION_APPLIES}) or coalesce(${HAS_UNSUBSCRIBED}, false) as is_suppressed
    from (${batch.sql}) b
    cross join (select ?::jsonb as known_tags, ?::int[] as common_tags) k
    cross join lateral jsonb_to_record(b.person) as v(${PERSON_COLUMNS})
    left join subscriptions c on c.email_list_id = ?::uuid and c.email_norm = b.email_norm
    left join contact_profiles p on p.owner_id = ?::uuid and p.email_hash = b.email_hash`,
    params: [
      importId,
      ownerId,
      ownerId,
      ...batch.params,
      JSON.stringify(Object.fromEntries(tagIds)),
      sqlArray([...new Set(commonTags.map((name) => tagIds.get(name.toLowerCase()) ?? NO_TAG))]),
      listId,
      ownerId,
    ],
  };
}

/**
 * SQL condition: an earlier line has the same address. The import's id is compared as text on purpose, so that the
 * planner uses the index on the hash. With statistics from before the import, it would expect the import to have few
 * lines, and would read all of them for each line.
 */
const IS_REPEATED = `exists (select 1 from contact_import_rows e where e.email_hash = f.email_hash and e.import_id::text = ? and e.line < f.line)`;

/** Result of the statement of `judgeRows`. */
export interface JudgedRows {
  rows: number;
  lastLine: number | null;
  /** Number of rows whose people will join the list. */
  joining: number;
}

/**
 * SQL statement that writes the verdict of the rows that `which` selects from contact_import_rows `r`, and returns
 * JudgedRows.
 */
export function judgeRows(which: SqlPart, scope: JudgingScope): SqlPart {
  const { importId, listId, ownerId, isDirect, room, checksDomains } = scope;
  const facts = factsOf(
    {
      sql: `select r.line, r.email_norm, r.email_hash, r.domain, r.refused, r.person from contact_import_rows r where r.import_id = ?::uuid and ${which.sql}`,
      params: [importId, ...which.params],
    },
    scope,
  );
  const domain = checksDomains
    ? `exists (select 1 from ${KNOWN_DOMAINS} d where d.domain = f.domain and not d.takes_mail)`
    : 'false';
  const isHere = ownerId === null || isDirect ? 'is_listed and not is_listed_by_this' : 'false';
  return {
    sql: `
    with facts as materialized (${facts.sql}),
    judged as (
      select f.line, f.is_listed, f.is_listed_by_this, f.is_known, f.would_change, f.refused,
        case when f.refused is not null then null
          when ${IS_REPEATED} then 'duplicate'
          when f.is_suppressed then 'suppressed' when ${domain} then 'no_domain'
          ${isDirect ? `when ${isHere} then 'exists'` : ''} end as reason
      from facts f
    ), ranked as (
      select j.*, ?::boolean and not j.is_listed and j.refused is null and j.reason is null as joins,
        row_number() over (partition by ?::boolean and not j.is_listed and j.refused is null and j.reason is null order by j.line) as place
      from judged j
    ), verdicts as (
      select line, joins and coalesce(place <= ?::int, true) as joins,
        case when reason is null and joins and place > ?::int then 'limit' else reason end as reason,
        case when refused is not null or reason is not null or (joins and place > ?::int) then 'left_out'
          ${ownerId === null ? `when ${isHere} then 'unchanged' else 'new' end` : `when not is_known then 'new' when joins or would_change then 'updated' else 'unchanged' end`} as verdict
      from ranked
    ), written as (
      update contact_import_rows t set verdict = w.verdict, reason = w.reason from verdicts w where t.import_id = ?::uuid and t.line = w.line
      returning t.line, w.joins
    )
    select count(*)::int as rows, max(line) as "lastLine", count(*) filter (where joins)::int as joining from written`,
    params: [...facts.params, importId, listId !== null, listId !== null, room, room, room, importId],
  };
}
