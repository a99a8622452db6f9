import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../shared/database/columns.js';
import { rows } from '../shared/database/rows.js';
import { DEMO_LISTS, DEMO_MESSAGES } from './demo-content.js';

/** How many sends, over six weeks; the newest was a few hours ago. */
const SENDS = 28;
const DAYS_BETWEEN = 1.6;
/** The one that its sender cancelled on the way, counted from the newest. */
const CANCELLED = 9;

/** What became of a message, by its lot from 0 to 999: the first line whose `below` is larger. */
const FATES = [
  { below: 12, status: 'failed', metadata: { class: 'hard-address', reason: 'The mailbox does not exist', code: '5.1.1', response: '550 5.1.1 No such user here' } },
  { below: 18, status: 'failed', metadata: { class: 'expired', reason: 'Given up after repeated tries: The mailbox is full', code: '4.2.2', response: '452 4.2.2 The mailbox is full' } },
  { below: 30, status: 'bounced', metadata: { class: 'mailbox-soft', reason: 'The mailbox is full or does not take mail', code: '5.2.2' } },
  { below: 38, status: 'skipped', metadata: { reason: 'Not confirmed any more' } },
  { below: 42, status: 'unconfirmed', metadata: { class: 'unknown-outcome', reason: 'The mail server went away before it answered' } },
  { below: 44, status: 'complained', metadata: { class: 'complaint', reason: 'The recipient reported it as spam' } },
  { below: 1000, status: 'sent', metadata: { response: '250 2.0.0 Ok: queued' } },
] as const;

/** Sends of the demo account with a delivery for each contact who was confirmed at the time. */
export async function seedSends(em: EntityManager, userId: string): Promise<void> {
  const lists = await rows<{ id: string; name: string }>(em, 'select id, name from email_lists where owner_id = ? order by array_position(?::text[], name)', [userId, `{${DEMO_LISTS.map(({ name }) => `"${name}"`).join()}}`]);
  for (let number = SENDS - 1; number >= 0; number--) {
    const chosen = number % 7 === 3 ? lists.slice(0, 2) : [lists[number % lists.length]!];
    await seedSend(em, userId, chosen, number);
  }
  await rows(
    em,
    `insert into usage_tracking (user_id, date, emails_sent, time_zone)
     select user_id, usage_date, count(*)::int, 'America/New_York' from email_history where user_id = ? group by 1, 2`,
    [userId],
  );
}

async function seedSend(em: EntityManager, userId: string, lists: { id: string; name: string }[], number: number): Promise<void> {
  const id = newId();
  const { subject, content } = DEMO_MESSAGES[number % DEMO_MESSAGES.length]!;
  const isCancelled = number === CANCELLED;
  await rows(
    em,
    `insert into email_history (id, user_id, email_list_id, subject, content, email_type, status, sent_at, settled_at, cancelled_at, usage_date, content_hash, sender_name, sender_agency, reply_to)
     select ?::uuid, u.id, ?::uuid, ?, ?, 'candidate-list', 'sent', at, at + interval '70 seconds', case when ? then at + interval '40 seconds' end,
       (at at time zone u.time_zone)::date, encode(sha256(?::text::bytea), 'hex'), u.first_name || ' ' || u.last_name, u.agency_name, u.email
     from users u cross join (select now() - interval '3 hours' - make_interval(secs => ?::double precision) as at) t where u.id = ?`,
    [id, lists[0]!.id, subject, content, isCancelled, id, number * DAYS_BETWEEN * 86_400, userId],
  );
  for (const [position, list] of lists.entries()) await rows(em, 'insert into email_history_lists (history_id, email_list_id, name, position) values (?, ?, ?, ?)', [id, list.id, list.name, position]);
  await rows(
    em,
    `with recipient as (
       select distinct on (c.email_norm) c.*, h.sent_at as at, h.user_id from subscriptions c join email_history h on h.id = ?
       where c.email_list_id in (select jsonb_array_elements_text(?::jsonb)::uuid) and c.confirmed_at < h.sent_at and (c.unsubscribed_at is null or c.unsubscribed_at > h.sent_at - interval '1 day')
       order by c.email_norm, c.id
     ), drawn as (
       select *, row_number() over (order by email_norm)::int as place, ('x' || substr(md5(email_norm || ?), 1, 6))::bit(24)::int % 1000 as lot from recipient
     )
     insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, recipient_name, subject, created_at, attempt, status, metadata, message_id, sent_at, unsubscribed_at)
     select d.user_id, ?, place, d.id, email_list_id, email, name, ?, at, 1, f.status, f.metadata,
       case when f.status not in ('skipped', 'failed') then '<' || gen_random_uuid() || '@staffcast.example>' end,
       case when f.status not in ('skipped', 'failed') then at + make_interval(secs => 2 + place / 9.0) end,
       case when f.status = 'sent' and d.unsubscribed_at between at - interval '1 day' and at + interval '2 days' then greatest(d.unsubscribed_at, at + interval '5 minutes') end
     from drawn d cross join lateral (
       select case when ? and place > 90 then 'skipped' else fate->>'status' end as status,
         case when ? and place > 90 then '{"reason": "Cancelled by the sender", "class": null}' else fate->'metadata' end as metadata
       from jsonb_array_elements(?::jsonb) fate where lot < (fate->>'below')::int order by (fate->>'below')::int limit 1) f`,
    [id, JSON.stringify(lists.map((list) => list.id)), id, id, subject, isCancelled, isCancelled, JSON.stringify(FATES)],
  );
  await rows(em, 'update email_history set recipient_count = (select count(*) from email_delivery_logs where history_id = ?) where id = ?', [id, id]);
}
