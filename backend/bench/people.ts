import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { withoutIndexes } from './indexes.js';
import type { World } from './world.js';

/** The contacts of an account, with the lists, tags and fields that the bench's segments use. */
export interface People {
  ownerId: string;
  count: number;
  /**
   * Ids of three lists. They contain six, three and one in ten of the people, each chosen independently of the others.
   */
  lists: [string, string, string];
  tags: number[];
}

const TAGS = 20;
/**
 * Rows per statement, as imports commit them. Accounts take turns, so that their rows are interleaved as in a database
 * that grew over time.
 */
const PEOPLE_PER_INSERT = 5_000;
/** Number of people at one company. */
const PER_COMPANY = 12;

const FIELDS = [
  { key: 'tier', label: 'Tier', type: 'choice', options: ['gold', 'silver', 'bronze', 'none'] },
  { key: 'rate', label: 'Rate', type: 'number', options: [] },
  { key: 'since', label: 'Since', type: 'date', options: [] },
];

/**
 * Seeds an account with this many contacts, and `others` further accounts with as many contacts at the same addresses,
 * so that a query that ignores the account reads foreign rows. Indexes and triggers are off meanwhile.
 */
export async function seedPeople(world: World, count: number, others: number): Promise<People> {
  const owners = [world.userId];
  for (let i = 0; i < others; i++) owners.push((await world.account()).userId);
  const client = await world.db.connect();
  try {
    const accounts: People[] = [];
    for (const ownerId of owners) accounts.push(await prepared(client, ownerId, count, accounts.length));
    await client.query(HELPERS);
    await client.query(`set session_replication_role = replica`);
    await withoutIndexes(client, ['contact_profiles', 'subscriptions', 'contact_activity'], async () => {
      for (let from = 1; from <= count; from += PEOPLE_PER_INSERT)
        for (const [place, people] of accounts.entries())
          await insert(client, place, people, [from, Math.min(count, from + PEOPLE_PER_INSERT - 1)]);
    });
    await client.query(`set session_replication_role = origin`);
    await client.query(
      `update email_lists l set contact_count = c.n, confirmed_count = c.confirmed
       from (select email_list_id, count(*)::int as n, (count(*) filter (where confirmed))::int as confirmed from subscriptions group by 1) c where c.email_list_id = l.id`,
    );
    await client.query(
      `insert into profile_counts (owner_id, backend, profiles) select owner_id, 0, count(*)::int from contact_profiles where owner_id = any ($1::uuid[]) group by 1
       on conflict (owner_id, backend) do update set profiles = excluded.profiles`,
      [owners],
    );
    for (const table of ['contact_profiles', 'profile_counts', 'subscriptions', 'contact_activity', 'suppressions'])
      await client.query(`vacuum analyze ${table}`);
    await client.query('checkpoint');
    return accounts[0]!;
  } finally {
    client.release();
  }
}

/** SQL function: a pseudo-random number from 0 to 1 for person `n`, different for each `die`. */
const HELPERS = `create or replace function pg_temp.roll(n bigint, die int) returns float8 immutable parallel safe language sql
  as $$ select (hashint8extended(n, die) & 1048575) / 1048576.0 $$`;

async function prepared(client: pg.PoolClient, ownerId: string, count: number, place: number): Promise<People> {
  const lists: People['lists'] = [randomUUID(), randomUUID(), randomUUID()];
  for (const [at, id] of lists.entries())
    await client.query(`insert into email_lists (id, name, slug, owner_id) values ($1, $2, $3, $4)`, [
      id,
      `List ${at + 1}`,
      `s-${id}`,
      ownerId,
    ]);
  const tags = Array.from({ length: TAGS }, (_, at) => place * 1000 + at + 1);
  for (const [at, id] of tags.entries())
    await client.query(`insert into contact_tags (id, owner_id, name) values ($1, $2, $3)`, [id, ownerId, `Tag ${at}`]);
  for (const [at, { key, label, type, options }] of FIELDS.entries())
    await client.query(
      `insert into profile_fields (owner_id, key, label, type, options, position) values ($1, $2, $3, $4, $5, $6)`,
      [ownerId, key, label, type, JSON.stringify(options), at],
    );
  return { ownerId, count, lists, tags };
}

function insert(client: pg.PoolClient, place: number, people: People, [from, to]: [number, number]): Promise<unknown> {
  const companies = Math.max(1, Math.floor(people.count / PER_COMPANY));
  return client.query(PEOPLE, [people.ownerId, place, companies, people.tags[0], people.lists, from, to]);
}

const PICK = (values: readonly string[], die: number): string =>
  `(array[${values.map((value) => `'${value}'`).join(', ')}])[1 + (roll(n, ${die}) * ${values.length - 0.001})::int % ${values.length}]`;
const FIRST = ['Ann', 'Priya', 'John', 'Maria', 'Wei', 'Omar', 'Zoë', 'Ravi', 'Elena', 'Tom'];
const LAST = ['Kumar', 'Patel', 'Smith', 'Garcia', 'Chen', 'Khan', 'Müller', 'Iyer', 'Popov', 'Brown'];
const TITLES = ['Recruiter', 'Vendor manager', 'Director', 'Account manager', 'Buyer'];
const REGIONS = ['TX', 'OK', 'CA', 'NY', 'FL', 'NJ', 'IL', 'WA', 'GA', 'VA'];

/**
 * Inserts people. Ids increase with the number of the person, and the rows of one statement are in the order of their
 * hashes, as imports write them. One in five has a free-mail address and so no company. Seven in ten were mailed within
 * the last two months. One in a hundred has unsubscribed, and one in a hundred has bounced. Parameters: owner, index of
 * the account, companies, first tag, lists, first and last person.
 */
const PEOPLE = `
  with person as materialized (
    select n, 'p' || n || '@' || domain as email, domain from (
      select n, case when roll(n, 1) < 0.2 then 'gmail.com' else 'company' || (roll(n, 2) * $3::int)::int || '.example' end as domain
      from generate_series($6::bigint, $7::bigint) n) s
  ), p as (
    insert into contact_profiles (id, owner_id, email, email_norm, email_hash, first_name, last_name, company, company_domain, job_title, phone, phone_e164, city, region, country, tag_ids, fields, source, import_line, created_at)
    select (lpad(to_hex(1760000000000 + $2::bigint * 50000000 + n), 12, '0') || '70008' || substr(md5($2::text || n), 1, 15))::uuid, $1::uuid, email, email, sha256(email::bytea), ${PICK(FIRST, 3)}, ${PICK(LAST, 4)} || n % 997,
      case when domain <> 'gmail.com' then 'Company ' || domain end, nullif(domain, 'gmail.com'), ${PICK(TITLES, 5)}, '(555) 010-' || lpad((n % 10000)::text, 4, '0'), '+1555010' || lpad((n % 10000)::text, 4, '0'),
      'City ' || n % 300, ${PICK(REGIONS, 6)}, 'US', array(select $4::int + t from generate_series(0, ${TAGS - 1}) t where roll(n, 100 + t) < 0.02 + t * 0.01),
      jsonb_build_object('tier', ${PICK(['gold', 'silver', 'bronze', 'none'], 7)}, 'rate', 30 + (roll(n, 8) * 90)::int, 'since', to_char(date '2020-01-01' + (roll(n, 9) * 2000)::int, 'YYYY-MM-DD')),
      'import', n, now() - make_interval(secs => (roll(n, 10) * 60000000)::int)
    from person order by sha256(email::bytea) returning *
  ), memberships as (
    insert into subscriptions (email, email_norm, email_hash, name, first_name, last_name, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, source, opt_in_state, profile_id, company_domain, suppressed, created_at)
    select p.email, p.email_norm, p.email_hash, p.first_name || ' ' || p.last_name, p.first_name, p.last_name, 'job-posts', c.ok, case when c.ok then p.created_at + interval '1 hour' end,
      rtrim(translate(encode(sha256((p.id::text || l.at)::bytea), 'base64'), '+/', '-_'), '='), l.id, 'import', case when c.ok then 'none' else 'sent' end, p.id, p.company_domain,
      case when roll(p.import_line, 30) < 0.01 then 'unsubscribed' when roll(p.import_line, 30) < 0.02 then 'bounced' end, p.created_at
    from p cross join lateral (select roll(p.import_line, 20) < 0.9 as ok) c cross join unnest($5::uuid[]) with ordinality l(id, at)
    where roll(p.import_line, 10 + l.at::int) < case l.at when 1 then 0.6 when 2 then 0.3 else 0.1 end
  ), suppressed as (
    insert into suppressions (scope, owner_id, address_hash, address_norm, reason)
    select 'owner', p.owner_id, p.email_hash, p.email_norm, case when roll(p.import_line, 30) < 0.01 then 'unsubscribed' else 'bounced' end
    from p where roll(p.import_line, 30) < 0.02
  )
  insert into contact_activity (profile_id, last_mailed_at, mailed_count, last_bounced_at)
  select p.id, now() - make_interval(secs => (roll(p.import_line, 40) * 5000000)::int), 1 + (roll(p.import_line, 41) * 20)::int, case when roll(p.import_line, 42) < 0.02 then now() - interval '10 days' end
  from p where roll(p.import_line, 43) < 0.7`.replaceAll(/\broll\(/g, 'pg_temp.roll(');
