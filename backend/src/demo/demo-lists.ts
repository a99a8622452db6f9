import type { EntityManager } from '@mikro-orm/postgresql';
import { hostSql, newId } from '../shared/database/queries/columns.js';
import { rows } from '../shared/database/queries/rows.js';
import { WORDING_VERSION } from '../modules/lists/index.js';
import { COMPANY_DOMAINS, DEMO_LISTS, FIRST_NAMES, LAST_NAMES } from './demo-content.js';

/** How many days ago the file of each list was imported. */
const IMPORTED_DAYS_AGO = 45;
/** Which people are on the default list: the number of the first one, and how many follow. */
const NETWORK_PEOPLE = { first: 900, people: 160 };

/**
 * Creates the demo account's lists with contacts, consent evidence and imports. Also adds contacts to the default list.
 */
export async function seedLists(em: EntityManager, ownerId: string): Promise<void> {
  for (const { name, slug, description, first, people } of DEMO_LISTS) {
    const id = newId();
    await rows(
      em,
      `insert into email_lists (id, name, slug, description, owner_id, agency_name, created_at)
       values (?, ?, ? || '-' || substr(md5(?::text), 1, 10), ?, ?, 'Brightbench Consulting', now() - interval '58 days')`,
      [id, name, slug, id, description, ownerId],
    );
    const importId = await seedImport(em, ownerId, id, people);
    await seedContacts(em, id, { first, people, importId });
    await seedEvidence(em, id, ownerId);
  }
  await seedColumns(em, ownerId);
  const [network] = await rows<{ id: string }>(em, 'select id from email_lists where is_default');
  if (network) await seedContacts(em, network.id, { ...NETWORK_PEOPLE, importId: null });
}

/** Creates a finished import that added two thirds of the list, with a few rejected lines. */
async function seedImport(em: EntityManager, ownerId: string, listId: string, people: number): Promise<string> {
  const id = newId();
  const added = Math.floor((people * 2) / 3);
  await rows(
    em,
    `insert into contact_imports (id, email_list_id, user_id, status, subscription_type, format, total, added, skipped, bytes_total, bytes_done, created_at, finished_at)
     select ?, ?, ?, 'done', 'candidate-lists', 'csv', ?::int, ?::int, 4, ?::int, ?::int, at, at + interval '9 seconds' from (select now() - make_interval(days => ?) as at) t`,
    [id, listId, ownerId, added + 4, added, people * 46, people * 46, IMPORTED_DAYS_AGO],
  );
  await rows(
    em,
    `insert into contact_import_rejects (import_id, line, email, reason)
     values (?, 17, 'hiring@', 'invalid'), (?, 58, 'n/a', 'invalid'), (?, 61, 'amit.das@bluepeak-it.example', 'duplicate'), (?, 90, 'jobs@harborview.example', 'suppressed')`,
    [id, id, id, id],
  );
  return id;
}

/**
 * Creates people, starting with number `first`: the import added two thirds of them, the others joined one by one over
 * eight weeks. About 76 % are confirmed, 14 % pending, 6 % unsubscribed, 3 % bounced and 1 % complained; the newest
 * have joined so recently that they have not confirmed yet. A number stands for the same person on every list.
 */
async function seedContacts(
  em: EntityManager,
  listId: string,
  { first, people, importId }: { first: number; people: number; importId: string | null },
): Promise<void> {
  await rows(
    em,
    `with person as (
       select n, (n * 7919) % 100 as percent,
         case when ?::uuid is not null and n % 3 > 0 then now() - make_interval(days => ?) else now() - interval '56 days' * (1 - (n - ?::int + 0.5) / ?) ^ 0.8 end as came,
         interval '1 minute' * (9 + (n * 131) % 2400) as takes,
         (array(select jsonb_array_elements_text(?::jsonb)))[1 + n * 7 % 40] as first_name, (array(select jsonb_array_elements_text(?::jsonb)))[1 + (n / 40 + n * 11) % 40] as last_name,
         (array(select jsonb_array_elements_text(?::jsonb)))[1 + n % 20] as domain
       from generate_series(?::int, ?) n
     ), contact as (
       select *, lower(first_name) || '.' || lower(last_name) || '@' || domain as email,
         percent < 14 or came + takes > now() - interval '10 minutes' as is_asked, percent >= 90 and came + takes <= now() - interval '10 minutes' as is_out
       from person
     )
     insert into subscriptions (email, email_norm, email_hash, name, first_name, last_name, subscription_type, email_list_id, unsubscribe_token, source, import_id, created_at, confirmed, confirmed_at,
       opt_in_state, confirmation_sent_at, confirmation_token, confirmation_token_expires, suppressed)
     select email, email, sha256(email::bytea), first_name || ' ' || last_name, first_name, last_name, 'candidate-lists', ?,
       rtrim(translate(encode(sha256((email || ?)::bytea), 'base64'), '+/', '-_'), '='),
       case when n % 9 = 0 then 'public' when ?::uuid is not null and n % 3 > 0 then 'import' else 'owner' end, case when n % 9 > 0 and n % 3 > 0 then ?::uuid end, came,
       not is_asked, case when not is_asked then came + takes end,
       case when is_asked then 'sent' else 'none' end, came + interval '1 minute',
       case when is_asked then encode(sha256((email || ? || 'confirm')::bytea), 'hex') end, case when is_asked then came + interval '7 days' end,
       case when is_out then case when percent < 96 then 'unsubscribed' when percent < 99 then 'bounced' else 'complained' end end
     from contact`,
    [
      importId,
      IMPORTED_DAYS_AGO,
      first,
      people,
      JSON.stringify(FIRST_NAMES),
      JSON.stringify(LAST_NAMES),
      JSON.stringify(COMPANY_DOMAINS),
      first,
      first + people - 1,
      listId,
      listId,
      importId,
      importId,
      listId,
    ],
  );
  // Runs as a separate statement, because a trigger counts unsubscribed contacts by day on update.
  await rows(
    em,
    `update subscriptions set unsubscribed_at = confirmed_at + (now() - confirmed_at) * (0.2 + get_byte(email_hash, 0) / 330.0) where email_list_id = ? and suppressed = 'unsubscribed'`,
    [listId],
  );
}

/** Stores companies and job titles of the imported people. The backfill then creates the profiles of all contacts. */
async function seedColumns(em: EntityManager, ownerId: string): Promise<void> {
  await rows(
    em,
    `update subscriptions c set attributes = jsonb_build_object('Company', initcap(replace(split_part(${hostSql('c.email_norm')}, '.', 1), '-', ' ')),
       'Job Title', (array['Vendor Manager', 'Technical Recruiter', 'Delivery Lead', 'Account Executive'])[1 + get_byte(c.email_hash, 1) % 4])
     from email_lists l where l.id = c.email_list_id and l.owner_id = ? and c.import_id is not null`,
    [ownerId],
  );
}

/** Writes the consent events of a list's contacts, and suppressions for contacts that left. */
async function seedEvidence(em: EntityManager, listId: string, ownerId: string): Promise<void> {
  await rows(
    em,
    `insert into consent_events (kind, how, address_hash, address_norm, contact_id, email_list_id, owner_id, wording_version, created_at)
     select e.kind, e.how, c.email_hash, c.email_norm, c.id, c.email_list_id, ?::uuid, ?::text, e.at
     from subscriptions c cross join lateral (values ('requested', c.source, c.created_at), ('confirmed', 'link', c.confirmed_at), ('withdrawn', 'one-click', c.unsubscribed_at)) as e(kind, how, at)
     where c.email_list_id = ? and e.at is not null`,
    [ownerId, WORDING_VERSION, listId],
  );
  await rows(
    em,
    `insert into suppressions (scope, owner_id, reason, address_hash, address_norm, created_at, expires_at)
     select case c.suppressed when 'complained' then 'all' else 'owner' end, case c.suppressed when 'complained' then null else ?::uuid end, c.suppressed, c.email_hash, c.email_norm,
       coalesce(c.unsubscribed_at, now() - interval '9 days'), case c.suppressed when 'bounced' then now() + interval '80 days' end
     from subscriptions c where c.email_list_id = ? and c.suppressed is not null
     on conflict do nothing`,
    [ownerId, listId],
  );
}
