import type { SqlPart } from '../../../../shared/database/queries/rows.js';
import { type Cte, withCtes } from '../../../../shared/database/queries/with-ctes.js';
import { addNotes, copiedNames, tagIdsOf, upsertProfiles } from '../../../contacts/index.js';
import { factsOf, type JudgingScope } from './verdict-sql.js';

/** Data that a batch of a commit needs, in addition to the data for judging lines. */
export interface CommitScope extends JudgingScope {
  subscriptionType: string;
  isAttested: boolean;
  /** Labels of the columns whose values the members of the list get. */
  labels: readonly string[];
  /** Index of the address column; its text is stored for a rejected duplicate. */
  emailColumn: number;
  /** Number of rejected lines that may still be stored. */
  rejectRoom: number;
}

/** Result of a batch. */
export interface CommittedBatch {
  rows: number;
  lastLine: number | null;
  /** Number of new members of the list; without a list, of new people. */
  added: number;
  created: number;
  updated: number;
  unchanged: number;
  leftOut: number;
  /** Number of rejected lines that were stored. */
  listed: number;
}

const COPY = copiedNames('p', 'g');

/**
 * SQL statement that commits the next lines of a checked import. It evaluates again what may have changed since the
 * check: suppressions, the members of the list, the plan's limit.
 * @param after line after which the batch begins
 * @param tokens one unsubscribe token for each line
 */
export const commitLines = (after: number, limit: number, tokens: readonly string[], scope: CommitScope): SqlPart =>
  withCtes(
    [
      facts(after, limit, scope),
      judged(scope),
      placed(scope),
      settled(scope),
      DECIDED,
      going(tokens),
      people(scope),
      addedMembers(scope),
      RENAMED_MEMBERS,
      notes(scope),
      labels(scope),
      OUTCOMES,
      rejected(scope),
    ],
    counts(scope),
  );

/** Current facts about each line, with the ids of its tags. */
function facts(after: number, limit: number, scope: CommitScope): Cte {
  const { sql, params } = factsOf(
    {
      sql: `select r.line, r.email, r.email_norm, r.email_hash, r.refused, r.reason, r.verdict, r.cells, r.person, row_number() over (order by r.line) as row_place from contact_import_rows r
        where r.import_id = ?::uuid and r.line > ? order by r.line limit ${limit}`,
      params: [scope.importId, after],
    },
    scope,
    false,
  );
  return {
    name: 'facts',
    isMaterialized: true,
    sql: `select f.*, ${tagIdsOf('f', 'f.known_tags', 'f.common_tags')} as tag_ids from (${sql}) f`,
    params,
  };
}

/** Why a line is left out; null if it is imported. */
const judged = ({ isDirect }: CommitScope): Cte => ({
  name: 'judged',
  sql: `select f.line, f.is_listed, f.is_listed_by_this,
      case when f.verdict = 'left_out' or f.verdict is null then coalesce(f.refused, f.reason, 'invalid') when f.verdict = 'unchanged' then null
        when f.is_suppressed then 'suppressed' when f.is_listed and not f.is_listed_by_this then ${isDirect ? `'exists'` : 'null'} end as reason,
      coalesce(f.verdict, 'left_out') as verdict
    from facts f`,
  params: [],
});

/**
 * Marks the lines that join the list (`joins`) and numbers them (`place`), so that lines beyond the plan's limit can be
 * cut.
 */
function placed({ listId }: CommitScope): Cte {
  const joins = `?::boolean and not is_listed and reason is null and verdict <> 'unchanged'`;
  return {
    name: 'placed',
    sql: `select j.*, ${joins} as joins, row_number() over (partition by ${joins} order by line) as place from judged j`,
    params: [listId !== null, listId !== null],
  };
}

/** Leaves out the lines beyond the plan's limit. */
const settled = ({ room }: CommitScope): Cte => ({
  name: 'settled',
  sql: `select line, is_listed_by_this, verdict, joins and (?::int is null or place <= ?::int) as joins,
      case when reason is null and joins and place > ?::int then 'limit' else reason end as reason
    from placed`,
  params: [room, room, room],
});

/**
 * Decides which lines are imported. `goes` is a column, because the planner expects a boolean column to be true for
 * half of the lines; from the conditions it would estimate one line, and choose a nested loop.
 */
const DECIDED: Cte = {
  name: 'decided',
  isMaterialized: true,
  sql: `select *, reason is null and verdict in ('new', 'updated') as goes from settled`,
  params: [],
};

/** The lines that are imported, each with an unsubscribe token. */
const going = (tokens: readonly string[]): Cte => ({
  name: 'going',
  isMaterialized: true,
  sql: `select f.*, s.joins, t.token from decided s join facts f on f.line = s.line
    join rows from (jsonb_array_elements_text(?::jsonb)) with ordinality as t(token, place) on t.place = f.row_place
    where s.goes`,
  params: [JSON.stringify(tokens)],
});

/** Creates or updates the profiles of the imported lines; the default list has no profiles. */
function people({ ownerId, importId, existing }: CommitScope): Cte {
  const profiles = `(
    select ?::uuid as owner_id, g.email, g.email_norm, g.email_hash, g.company_domain, g.first_name, g.last_name, g.company, g.job_title, g.phone, g.phone_e164, g.city, g.region,
      g.country, g.time_zone, g.tag_ids, coalesce(g.fields, '{}'::jsonb) as fields, 'import'::text as source, ?::uuid as import_id, g.line as import_line, now() as created_at
    from going g where ?::uuid is not null) rows`;
  return { name: 'p', sql: upsertProfiles(profiles, existing), params: [ownerId, importId, ownerId] };
}

const addedMembers = ({ subscriptionType, listId, ownerId, isAttested, importId }: CommitScope): Cte => ({
  name: 'added',
  sql: `insert into subscriptions (email, email_norm, email_hash, name, first_name, last_name, attributes, subscription_type, unsubscribe_token, email_list_id, source, opt_in_state, import_id, profile_id, company_domain)
    select g.email, g.email_norm, g.email_hash, ${COPY.name}, ${COPY.first}, ${COPY.last}, g.attributes, ?, g.token, ?::uuid, ?, ?, ?::uuid, p.id, case when p.id is not null then g.company_domain end
    from going g left join p on p.email_hash = g.email_hash where g.joins
    on conflict (email_list_id, email_norm) do nothing returning email_norm`,
  params: [subscriptionType, listId, ownerId === null ? 'admin' : 'import', isAttested ? 'held' : 'due', importId],
});

/** Copies the names that the import gave to known people into their memberships. */
const RENAMED_MEMBERS: Cte = {
  name: 'renamed',
  sql: `update subscriptions c set name = ${COPY.name}, first_name = p.first_name, last_name = p.last_name
    from p join going g on g.email_hash = p.email_hash
    where not p.is_new and c.profile_id = p.id and (p.first_name is not null or p.last_name is not null) and (c.first_name, c.last_name) is distinct from (p.first_name, p.last_name)`,
  params: [],
};

const notes = ({ ownerId, existing }: CommitScope): Cte => ({
  name: 'noted',
  sql: addNotes(
    `(select p.id as profile_id, ?::uuid as owner_id, g.note from going g join p on p.email_hash = g.email_hash where g.note is not null and (p.is_new or ?::boolean))`,
  ),
  params: [ownerId, existing !== 'leave'],
});

const labels = ({ listId, labels: given }: CommitScope): Cte => ({
  name: 'labelled',
  sql: `insert into contact_fields (email_list_id, label) select ?::uuid, value from jsonb_array_elements_text(?::jsonb) where ?::boolean on conflict do nothing`,
  params: [listId, JSON.stringify(given), listId !== null],
});

/** Outcome of each line. A person who joined the list by other means after the check is rejected as `exists`. */
const OUTCOMES: Cte = {
  name: 'outcomes',
  sql: `select s.line, coalesce(s.reason, case when s.joins and a.email_norm is null and not s.is_listed_by_this then 'exists' end) as reason, s.verdict, a.email_norm is not null or s.is_listed_by_this as is_added
    from settled s left join going g on g.line = s.line left join added a on a.email_norm = g.email_norm`,
  params: [],
};

const rejected = ({ importId, emailColumn, rejectRoom }: CommitScope): Cte => ({
  name: 'rejected',
  sql: `insert into contact_import_rejects (import_id, line, email, reason, cells)
    select ?::uuid, f.line, left(case when s.reason = 'duplicate' then coalesce(f.cells ->> ?::int, f.email) else f.email end, 320), s.reason, f.cells from outcomes s join facts f on f.line = s.line where s.reason is not null order by f.line limit ?
    on conflict do nothing returning line`,
  params: [importId, emailColumn, rejectRoom],
});

/** The columns of a CommittedBatch. */
const counts = ({ listId }: CommitScope): SqlPart => ({
  sql: `select (select count(*) from facts)::int as rows, (select max(line) from facts) as "lastLine",
    ${listId !== null ? `(select count(*) from outcomes where reason is null and is_added)` : `(select count(*) from p where is_new)`}::int as added,
    (select count(*) from p where is_new)::int as created, (select count(*) from p where not is_new)::int as updated,
    (select count(*) from outcomes where reason is null and verdict = 'unchanged')::int as unchanged,
    (select count(*) from outcomes where reason is not null)::int as "leftOut", (select count(*) from rejected)::int as listed`,
  params: [],
});
