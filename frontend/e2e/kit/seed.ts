import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Product } from './product.ts';

/** A picture with one pixel. */
export const SMALL_PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Runs SQL on the product's database. */
export async function sql(product: Product, text: string, values: unknown[] = []): Promise<void> {
  const run = JSON.parse(readFileSync(join(product.dataDir, 'run.json'), 'utf8')) as Record<string, string>;
  const client = new pg.Client({ connectionString: run.databaseUrl ?? run.DATABASE_URL ?? '' });
  await client.connect();
  await client.query(text, values).finally(() => client.end());
}

/** Inserts confirmed contacts into a list. */
export const seedContacts = (
  product: Product,
  slug: string,
  people: readonly { email: string; name?: string }[],
): Promise<void> =>
  sql(
    product,
    `insert into subscriptions (email, email_norm, email_hash, name, first_name, last_name, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
     select e, e, sha256(e::bytea), n, split_part(n, ' ', 1), split_part(n, ' ', 2), 'job-posts', true, now(), rtrim(translate(encode(sha256(e::bytea), 'base64'), '+/', '-_'), '='), l.id, 'none'
     from email_lists l, jsonb_to_recordset($2::jsonb) p(email text, name text), lateral (select p.email, p.name) s(e, n) where l.slug = $1`,
    [slug, JSON.stringify(people)],
  );

/**
 * Inserts six weeks of history for an account: growing lists, confirmed and unsubscribed contacts, and sends with their
 * results.
 */
export async function seedMonth(product: Product, email: string): Promise<void> {
  await sql(
    product,
    `insert into email_lists (name, slug, owner_id, created_at)
     select name, 'seed-' || u.id || '-' || ord, u.id, now() - interval '6 weeks' from users u,
       unnest(array['Java vendors', 'Bench partners, East Coast', 'Healthcare staffing agencies and their subcontractors (Texas)']) with ordinality as l(name, ord) where u.email = $1`,
    [email],
  );
  await sql(
    product,
    `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, created_at, confirmed, confirmed_at, opt_in_state, import_id)
     select 'person' || i || '@vendor' || i % 40 || '.example', 'person' || i || '@vendor' || i % 40 || '.example', sha256(i::text::bytea), 'candidate-lists', 'seed-' || l.owner_id || '-' || i, l.ids[1 + i % 3],
       now() - interval '42 days' * ((i * 7919 % 1237) / 1237.0) ^ 1.4 - interval '1 hour', i % 4 > 0, case when i % 4 > 0 then now() - interval '40 days' * ((i * 7919 % 1237) / 1237.0) - interval '7 minutes' end, 'none',
       case when i % 3 > 0 then gen_random_uuid() end
     from generate_series(1, 1237) i, (select l.owner_id, array_agg(l.id order by l.name) as ids from email_lists l join users u on u.id = l.owner_id where u.email = $1 group by l.owner_id) l`,
    [email],
  );
  await sql(
    product,
    `update subscriptions s set suppressed = 'unsubscribed', unsubscribed_at = s.created_at + (now() - s.created_at) / 2 from users u where u.email = $1 and s.unsubscribe_token like 'seed-' || u.id || '-%0'`,
    [email],
  );
  await sql(
    product,
    `insert into email_history (user_id, subject, content, email_type, recipient_count, status, sent_at, usage_date, content_hash, sender_name, reply_to)
     select u.id, (array['Available this week: three Java leads', 'Hotlist: data engineers, remote', 'SAP consultants with S/4HANA migrations, relocation possible, C2C'])[1 + i % 3], 'x', 'candidate-list', 200, 'sent',
       now() - interval '1 day' * i * 1.3 - interval '2 hours', current_date, 'seed-' || u.id || '-' || i, 'Dana', u.email
     from users u, generate_series(0, 20) i where u.email = $1`,
    [email],
  );
  await sql(
    product,
    `insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, subject, status)
     select h.user_id, h.id, p, gen_random_uuid(), gen_random_uuid(), 'person' || p || '@vendor.example', h.subject,
       case when p % 23 = 0 then 'failed' when p % 31 = 0 then 'bounced' when p % 50 = 0 then 'skipped' else 'sent' end
     from email_history h join users u on u.id = h.user_id, generate_series(1, 60 + (extract(day from h.sent_at)::int * 37) % 180) p where u.email = $1`,
    [email],
  );
}
