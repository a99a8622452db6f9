import type { SqlPart } from '../../../shared/database/queries/rows.js';
import { hostSql } from '../../../shared/database/queries/columns.js';
import type { AudienceRule, CompanyCap } from '../../contacts/index.js';
import type { AudiencePool, PoolChoice } from '../../lists/index.js';
import type { CompanyPreference } from './audience-choice.js';

/** A choice with everything that decides which of its addresses are mailed. */
export interface JudgedChoice {
  pool: PoolChoice;
  rules: readonly AudienceRule[];
  /** Addresses and domains that are excluded from this send only. */
  here: readonly Exclusion[];
  excludedLists: readonly { id: string; name: string }[];
  /** Each `members` is an SQL condition on profiles `p`. */
  excludedSegments: readonly { name: string; members: SqlPart }[];
  cap: { max: number; prefer: CompanyPreference } | null;
  companyCaps: readonly CompanyCap[];
  /** Company domain per host, for addresses whose company is not stored. */
  companies: readonly { host: string; company: string }[];
}

/** An excluded address, or an excluded domain with all its subdomains, and the reason in words. */
export interface Exclusion {
  kind: 'address' | 'domain';
  value: string;
  hash: string | null;
  words: string;
  maskedWords: string;
}

/**
 * SQL of common table expressions that decide about every address of a choice. Reasons apply in this order: consent,
 * do-not-send rules, excluded lists, excluded segments, this send's own exclusions, the cap per company.
 *
 * Statements read two of the expressions: `memberships`, the rows of the pool, and `judged`, one row per address with
 * the columns of the membership, `why` (null: the address is mailed) and `words`. `is_quiet` marks a masked address
 * that an exclusion names. No stored or shown row may contain such an address, because it would reveal that the address
 * is on the shared network.
 * @param isShown for numbers that people see: masked addresses are judged as if no exclusion named them
 * @param isCounted for a statement that reads `judged` only once and only to count: it then has just the columns
 * email_hash, masked, mark and `why`, and the expressions are not materialized
 */
export function judgementSql(pool: AudiencePool, choice: JudgedChoice, isShown: boolean, isCounted = false): SqlPart {
  const parts: Part[] = [];
  const memberships = pool.membershipsSql(choice.pool);
  const isCapped = choice.cap !== null || choice.companyCaps.length > 0;
  const exclusions = [...choice.rules, ...choice.here];
  const people = isCounted && !isCapped ? pool.countedPeopleSql(exclusions.length > 0) : pool.peopleSql;
  parts.push(
    { name: 'memberships', ...memberships, isInlined: isCounted },
    { name: 'people', sql: people, params: [], isInlined: isCounted && exclusions.length === 0 },
  );
  const found = [
    exclusionsOf(parts, 'rule', 'doNotSend', choice.rules),
    listsOf(parts, pool, choice.excludedLists),
    segmentsOf(parts, choice.excludedSegments),
    exclusionsOf(parts, 'here', 'excludedHere', choice.here),
  ].flatMap((one) => one ?? []);
  const applies = (one: Judge): string =>
    isShown ? `(${one.appliesToMany} or not p.masked and ${one.applies})` : one.applies;
  const whens = (column: (one: Judge) => string): string =>
    found.map((one) => `when ${applies(one)} then ${column(one)}`).join(' ');
  parts.push({
    name: 'asked',
    sql: `select p.*, case when p.consent_state <> 'mailable' then p.consent_state ${whens(({ why }) => `'${why}'`)} end as first_why,
        ${found.length > 0 && !isCounted ? `case when p.consent_state <> 'mailable' then null ${whens(({ words }) => words)} end` : 'null::text'} as first_words,
        ${found.length > 0 && !isCounted ? `p.masked and case when p.consent_state <> 'mailable' then false ${whens(({ isNamed }) => isNamed)} else false end` : 'false'} as is_quiet
      from people p ${found.map(({ join }) => join).join(' ')}`,
    params: [],
    isInlined: isCounted && !isCapped,
  });
  parts.push(...capsOf(choice).map((part) => ({ ...part, isInlined: isCounted && part.name === 'judged' })));
  return {
    sql: parts
      .map(({ name, sql, isInlined }) => `${name} as ${isInlined ? 'not ' : ''}materialized (${sql})`)
      .join(', '),
    params: parts.flatMap(({ params }) => params),
  };
}

interface Part extends SqlPart {
  name: string;
  /** Whether the planner may inline the expression into its reader. Absent: it is materialized. */
  isInlined?: boolean;
}

/** One reason to leave out a person `p`: SQL for when it applies, and for its words. */
interface Judge {
  why: string;
  join: string;
  applies: string;
  /**
   * SQL condition: an exclusion applies to the person's whole domain, whether or not another exclusion names the
   * person.
   */
  appliesToMany: string;
  words: string;
  /** SQL condition: an exclusion names the person, not just the domain. */
  isNamed: string;
}

const HOST = hostSql('p.email_norm');

/**
 * Compares addresses by their hash. Compares domains once per distinct host, with the host and every domain above it.
 */
function exclusionsOf(parts: Part[], name: string, why: string, exclusions: readonly Exclusion[]): Judge | null {
  if (exclusions.length === 0) return null;
  const [addresses, domains] = [`${name}_addresses`, `${name}_hosts`];
  const given = (kind: Exclusion['kind']): string =>
    JSON.stringify(
      exclusions
        .filter((exclusion) => exclusion.kind === kind)
        .map(({ value, hash, words, maskedWords }) => ({ value, hash, words, masked_words: maskedWords })),
    );
  const record = `jsonb_to_recordset(?::jsonb) as s(value text, hash text, words text, masked_words text)`;
  parts.push(
    {
      name: addresses,
      sql: `select distinct on (s.hash) decode(s.hash, 'hex') as hash, s.words, s.masked_words from ${record} order by s.hash`,
      params: [given('address')],
    },
    {
      name: domains,
      sql: `select distinct on (h.host) h.host, s.words from (select distinct ${HOST} as host from people p) h
        cross join lateral (select string_to_array(h.host, '.') as labels) l cross join lateral generate_subscripts(l.labels, 1) at
        join ${record} on s.value = array_to_string(l.labels[at:], '.') order by h.host, length(s.value) desc`,
      params: [given('domain')],
    },
  );
  return {
    why,
    join: `left join ${addresses} on ${addresses}.hash = p.email_hash left join ${domains} on ${domains}.host = ${HOST}`,
    applies: `(${addresses}.hash is not null or ${domains}.host is not null)`,
    appliesToMany: `${domains}.host is not null`,
    words: `coalesce(case when p.masked then ${addresses}.masked_words else ${addresses}.words end, ${domains}.words)`,
    isNamed: `${addresses}.hash is not null`,
  };
}

function listsOf(parts: Part[], pool: AudiencePool, lists: JudgedChoice['excludedLists']): Judge | null {
  if (lists.length === 0) return null;
  const on = pool.onListsSql(lists.map(({ id }) => id));
  parts.push({
    name: 'on_excluded_list',
    sql: `select o.email_hash, n.name from (${on.sql}) o left join jsonb_to_recordset(?::jsonb) as n(id uuid, name text) on n.id = o.email_list_id`,
    params: [...on.params, JSON.stringify(lists)],
  });
  return {
    why: 'excludedList',
    join: 'left join on_excluded_list on on_excluded_list.email_hash = p.email_hash',
    applies: 'on_excluded_list.email_hash is not null',
    appliesToMany: 'false',
    words: `'On the list "' || on_excluded_list.name || '", which this send leaves out'`,
    isNamed: 'true',
  };
}

function segmentsOf(parts: Part[], segments: JudgedChoice['excludedSegments']): Judge | null {
  if (segments.length === 0) return null;
  parts.push({
    name: 'in_excluded_segment',
    sql: `select distinct on (s.email_hash) s.email_hash, s.name from (${segments
      .map(({ members }) => `select p.email_hash, ?::text as name from contact_profiles p where ${members.sql}`)
      .join(' union all ')}) s order by s.email_hash, s.name`,
    params: segments.flatMap(({ name, members }) => [name, ...members.params]),
  });
  return {
    why: 'excludedSegment',
    join: 'left join in_excluded_segment on in_excluded_segment.email_hash = p.email_hash',
    applies: 'in_excluded_segment.email_hash is not null',
    appliesToMany: 'false',
    words: `'In the segment "' || in_excluded_segment.name || '", which this send leaves out'`,
    isNamed: 'true',
  };
}

/**
 * Applies the cap per company. At each company, the people whose last email is longest ago are mailed first, then those
 * who joined first.
 */
function capsOf({ cap, companyCaps, companies, pool: { ownerId } }: JudgedChoice): Part[] {
  const uncapped = `select a.*, a.first_why as why, a.first_words as words from asked a`;
  if (!cap && companyCaps.length === 0) return [{ name: 'judged', sql: uncapped, params: [] }];
  return [
    {
      name: 'at_company',
      sql: `select a.email_hash, a.profile_id, a.created_at, a.contact_id, d.company,
          least(?::int, k.max) as most, count(*) over (partition by d.company) as people
        from asked a
          left join jsonb_to_recordset(?::jsonb) as h(host text, company text) on a.profile_id is null and h.host = ${hostSql('a.email_norm')}
          cross join lateral (select coalesce(a.company_domain, h.company) as company) d
          left join jsonb_to_recordset(?::jsonb) as k(domain text, max int) on k.domain = d.company
        where a.first_why is null and d.company is not null and least(?::int, k.max) is not null`,
      params: [cap?.max ?? null, JSON.stringify(companies), JSON.stringify(companyCaps), cap?.max ?? null],
    },
    {
      // Covers the sends that contact_activity does not include yet. Their members are still stored.
      name: 'mailed_before',
      sql: `select m.email_hash, max(h.sent_at) as at from email_history h join send_members m on m.history_id = h.id where h.user_id = ? group by m.email_hash`,
      params: [ownerId],
    },
    {
      // Uses a union with a window function instead of a join: the planner expects one row per side and would choose a
      // nested loop.
      name: 'over_cap',
      sql: `select u.*, max(u.mailed_at) over (partition by u.email_hash) as before_at from (
            select c.email_hash, c.profile_id, c.created_at, c.contact_id, c.company, c.most, null::timestamptz as mailed_at from at_company c where c.people > c.most
            union all select b.email_hash, null, null, null, null, null, b.at from mailed_before b) u`,
      params: [],
    },
    {
      name: 'ranked',
      sql: `select c.email_hash, c.company, c.most, row_number() over (partition by c.company order by
            greatest((select t.last_mailed_at from contact_activity t where t.profile_id = c.profile_id), c.before_at) nulls first, c.created_at, c.contact_id) as rank
        from over_cap c where c.company is not null`,
      params: [],
    },
    {
      name: 'judged',
      sql: `select a.*, case when r.rank > r.most then 'companyCap' else a.first_why end as why,
          case when r.rank > r.most then r.most || case when r.most = 1 then ' other at ' || r.company || ' gets this send' else ' others at ' || r.company || ' get this send' end
          else a.first_words end as words
        from asked a left join ranked r on r.email_hash = a.email_hash`,
      params: [],
    },
  ];
}
