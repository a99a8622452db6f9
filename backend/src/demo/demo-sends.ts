import type { EntityManager } from '@mikro-orm/postgresql';
import { readBody, readTags, renderDocument } from '../modules/composing/index.js';
import { type NewSendMessage, SendMessages } from '../modules/delivery/index.js';
import { newId } from '../shared/database/queries/columns.js';
import { rows } from '../shared/database/queries/rows.js';
import { fillPieces } from '../shared/merge-tags/pieces.js';
import { DEMO_LISTS, DEMO_MESSAGES } from './demo-content.js';

/** Number of sends within six weeks; the newest is a few hours old. */
const SENDS = 28;
const DAYS_BETWEEN = 1.6;
/** Index of the cancelled send, counted from the newest. */
const CANCELLED = 9;

/**
 * SQL for the time of a send: three hours ago for the newest, else on a weekday in office hours. The placeholders stand
 * for the number of the send and its age in days.
 */
const SENT_AT = `
  select case when number = 0 then now() - interval '3 hours' else (day - greatest(extract(isodow from day)::int - 5, 0) + make_interval(mins => 9 * 60 + number * 67 % 430)) at time zone u.time_zone end as at
  from (select ?::int as number, date_trunc('day', now() at time zone u.time_zone)::date - ceil(?::numeric)::int as day) s`;

/** Outcomes of a message. A random number from 0 to 999 selects the first row with a larger `below`. */
const OUTCOMES = [
  {
    below: 12,
    status: 'failed',
    metadata: {
      class: 'hard-address',
      reason: 'The mailbox does not exist',
      code: '5.1.1',
      response: '550 5.1.1 No such user here',
    },
  },
  {
    below: 18,
    status: 'failed',
    metadata: {
      class: 'expired',
      reason: 'Given up after repeated tries: The mailbox is full',
      code: '4.2.2',
      response: '452 4.2.2 The mailbox is full',
    },
  },
  {
    below: 30,
    status: 'bounced',
    metadata: { class: 'mailbox-soft', reason: 'The mailbox is full or does not take mail', code: '5.2.2' },
  },
  { below: 38, status: 'skipped', metadata: { reason: 'Not confirmed any more' } },
  {
    below: 42,
    status: 'unconfirmed',
    metadata: { class: 'unknown-outcome', reason: 'The mail server went away before it answered' },
  },
  { below: 44, status: 'complained', metadata: { class: 'complaint', reason: 'The recipient reported it as spam' } },
  { below: 1000, status: 'sent', metadata: { response: '250 2.0.0 Ok: queued' } },
] as const;

/** Creates the demo account's sends, each with a delivery for every contact that was confirmed at the time. */
export async function seedSends(em: EntityManager, userId: string): Promise<void> {
  const lists = await rows<{ id: string; name: string }>(
    em,
    'select id, name from email_lists where owner_id = ? order by array_position(?::text[], name)',
    [userId, `{${DEMO_LISTS.map(({ name }) => `"${name}"`).join()}}`],
  );
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

const MESSAGES = DEMO_MESSAGES.map((message) =>
  'content' in message ? { ...message, written: null } : { subject: message.subject, ...writtenOf(message) },
);

/** Content of a message with a document, as an accepted send stores it. */
function writtenOf({ subject, document }: { subject: string; document: object }): {
  content: string;
  written: NewSendMessage;
} {
  const read = readBody({ document }).document!;
  const { content, html, text } = renderDocument(read, {
    of: () => {
      throw new Error('The demo data have no pictures');
    },
  });
  return {
    content,
    written: {
      message: { subject: readTags(subject), preheader: [], text, html },
      preheader: null,
      document: read.json,
      job: null,
      options: null,
      htmlBytes: Buffer.byteLength(fillPieces(html, ({ fallback }) => fallback ?? '')),
    },
  };
}

async function seedSend(
  em: EntityManager,
  userId: string,
  lists: { id: string; name: string }[],
  number: number,
): Promise<void> {
  const id = newId();
  const { subject, content, written } = MESSAGES[number % MESSAGES.length]!;
  const isCancelled = number === CANCELLED;
  await rows(
    em,
    `insert into email_history (id, user_id, email_list_id, subject, content, email_type, status, sent_at, settled_at, cancelled_at, usage_date, composed, content_hash, sender_name, sender_agency, reply_to)
     select ?::uuid, u.id, ?::uuid, ?, ?, 'candidate-list', 'sent', at, at + interval '70 seconds', case when ? then at + interval '40 seconds' end,
       (at at time zone u.time_zone)::date, ?, encode(sha256(?::text::bytea), 'hex'), u.first_name || ' ' || u.last_name, u.agency_name, u.email
     from users u cross join lateral (${SENT_AT}) t where u.id = ?`,
    [id, lists[0]!.id, subject, content, isCancelled, written !== null, id, number, number * DAYS_BETWEEN, userId],
  );
  if (written) await new SendMessages().write(em, id, written);
  for (const [position, list] of lists.entries())
    await rows(em, 'insert into email_history_lists (history_id, email_list_id, name, position) values (?, ?, ?, ?)', [
      id,
      list.id,
      list.name,
      position,
    ]);
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
       select case when ? and place > 90 then 'skipped' else outcome->>'status' end as status,
         case when ? and place > 90 then '{"reason": "Cancelled by the sender", "class": null}' else outcome->'metadata' end as metadata
       from jsonb_array_elements(?::jsonb) outcome where lot < (outcome->>'below')::int order by (outcome->>'below')::int limit 1) f`,
    [
      id,
      JSON.stringify(lists.map((list) => list.id)),
      id,
      id,
      subject,
      isCancelled,
      isCancelled,
      JSON.stringify(OUTCOMES),
    ],
  );
  await rows(
    em,
    'update email_history set recipient_count = (select count(*) from email_delivery_logs where history_id = ?) where id = ?',
    [id, id],
  );
}
