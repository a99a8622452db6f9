import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../shared/database/queries/rows.js';
import { DEMO_LISTS } from './demo-content.js';
import { HOTLIST } from './demo-documents.js';

/** Scheduled sends: one for tomorrow, one for next week, and one that was missed. */
const SCHEDULED = [
  { subject: 'Hotlist: four consultants from Monday', days: 1, hour: 9, people: 412, isMissed: false },
  { subject: 'Hotlist: two architects, remote', days: 6, hour: 8, people: 412, isMissed: false },
  { subject: 'Hotlist: QA bench, last call', days: -1, hour: 9, people: 398, isMissed: true },
] as const;

/** Creates the demo account's scheduled sends, in the account's time zone. */
export async function seedSchedules(em: EntityManager, userId: string): Promise<void> {
  for (const { subject, days, hour, people, isMissed } of SCHEDULED)
    await rows(
      em,
      `insert into scheduled_sends (user_id, send, content_hash, local_at, time_zone, due_at, zone_data, usage_date, state, reason, estimate)
       select u.id, ?::jsonb || jsonb_build_object('emailListIds', coalesce((select jsonb_agg(id) from email_lists where owner_id = u.id and name = ?), '[]')),
         'demo', t.at, u.time_zone, t.at at time zone u.time_zone, ?, t.at::date, ?, ?, ?::jsonb
       from users u cross join lateral (select date_trunc('day', now() at time zone u.time_zone) + make_interval(days => ?, hours => ?) as at) t
       where u.id = ?`,
      [
        JSON.stringify({ subject, emailType: 'candidate-list', document: HOTLIST }),
        DEMO_LISTS[0]!.name,
        process.versions.tz ?? 'none',
        isMissed ? 'blocked' : 'scheduled',
        isMissed ? 'missed' : null,
        JSON.stringify({
          recipientCount: String(people),
          excluded: { pending: 0, otherType: 0, suppressed: 0, duplicates: 0 },
        }),
        days,
        hour,
        userId,
      ],
    );
}
