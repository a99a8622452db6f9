import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../shared/database/queries/rows.js';

/** Creates notifications about the last sends (the newest two are unread) and about an import. */
export async function seedNotifications(em: EntityManager, userId: string): Promise<void> {
  await rows(
    em,
    `insert into notifications (user_id, kind, group_key, params, created_at, updated_at, read_at)
     select h.user_id, 'send.finished', 'send:' || h.id,
       jsonb_build_object('sendId', h.id, 'subject', h.subject, 'recipients', h.recipient_count, 'seconds', 240,
         'delivered', (select sum(t.sent + t.unconfirmed + t.complained) from delivery_tallies t where t.history_id = h.id)),
       e.at, e.at, case when h.number > 2 then e.at + interval '20 minutes' end
     from (select *, row_number() over (order by sent_at desc) as number from email_history where user_id = ? and status = 'sent' and cancelled_at is null) h
     cross join lateral (select h.sent_at + interval '4 minutes' as at) e where h.number <= 8`,
    [userId],
  );
  await rows(
    em,
    `insert into notifications (user_id, kind, group_key, params, created_at, updated_at)
     select owner_id, 'import.finished', 'import:' || id,
       jsonb_build_object('importId', id, 'isDirect', true, 'listId', id, 'listName', name, 'added', 112, 'refused', 14), at, at
     from email_lists cross join (select now() - interval '26 hours' as at) e where owner_id = ? order by created_at limit 1`,
    [userId],
  );
}
