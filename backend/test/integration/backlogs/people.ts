import { randomUUID } from 'node:crypto';
import type { GatedDatabase } from './gated-database.js';

/** Inserts an account holder. */
export async function newHolder(database: GatedDatabase): Promise<string> {
  const id = randomUUID();
  await database.query(
    `insert into users (id, email, email_norm, first_name, last_name, referral_code, tier) values ($1, $2, $2, 'Ann', 'Holder', $3, 'pro')`,
    [id, `${id}@holders.test`, id],
  );
  return id;
}

/**
 * Inserts an accepted send with its delivery rows, one per domain.
 * @param hasRange whether the rows are in a range that waits for a worker
 */
export async function newSend(
  database: GatedDatabase,
  userId: string,
  domains: readonly string[],
  hasRange = false,
): Promise<string> {
  const id = randomUUID();
  await database.query(
    `with send as (
       insert into email_history (id, user_id, subject, content, email_type, recipient_count, status, usage_date, content_hash, sender_name, reply_to)
       values ($1, $2, 'Java', 'Hello', 'job-post', cardinality($3::text[]), 'pending', current_date, 'hash', 'Ann', 'ann@holders.test') returning id
     ), range as (
       insert into delivery_ranges (history_id, first_position, last_position, next_position) select id, 1, cardinality($3::text[]), 1 from send where $4
     )
     insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, subject, status)
     select $2, send.id, n, gen_random_uuid(), gen_random_uuid(), 'p' || n || '@' || domain, 'Java', 'queued' from send cross join unnest($3::text[]) with ordinality as d (domain, n)`,
    [id, userId, domains, hasRange],
  );
  return id;
}

/** Lets time pass, by moving due times in the database closer. */
export async function pass(database: GatedDatabase, seconds: number): Promise<void> {
  for (const [table, columns] of Object.entries(TIMES))
    await database.query(
      `update ${table} set ${columns.map((column) => `${column} = ${column} - make_interval(secs => $1)`).join(', ')}`,
      [seconds],
    );
}

const TIMES = {
  email_delivery_logs: ['lease_until', 'next_attempt_at'],
  delivery_ranges: ['leased_until'],
  delivery_backlogs: ['leased_until', 'wake_at', 'served_at', 'created_at'],
};
