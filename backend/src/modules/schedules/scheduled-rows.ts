import type { SendEstimate } from '../sending/index.js';
import type { ScheduledState } from './scheduled-send.entity.js';

/** A scheduled send without its email. */
export interface ScheduledRow {
  id: string;
  userId: string;
  /** `leaving` while the send is due but not accepted yet. */
  state: ScheduledState;
  reason: string | null;
  reasonMessage: string | null;
  /** YYYY-MM-DDTHH:mm */
  at: string;
  timeZone: string;
  later: boolean;
  dueAt: Date;
  version: number;
  subject: string;
  emailType: 'job-post' | 'candidate-list';
  lists: { id: string; name: string }[];
  estimate: SendEstimate;
  historyId: string | null;
  updatedAt: Date;
}

/** A scheduled send with its email. */
export interface ScheduledSendRow extends ScheduledRow {
  send: Record<string, unknown>;
}

/** SQL of the chosen lists that still exist, in order of selection. */
const LISTS = `(select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name) order by chosen.place), '[]'::jsonb)
  from jsonb_array_elements_text(s.send -> 'emailListIds') with ordinality chosen(id, place)
  join email_lists l on l.id = chosen.id::uuid and l.deleted_at is null)`;

/** Columns of scheduled_sends, aliased `s`. @param now SQL expression of the current time */
export const scheduledColumns = (now: string): string =>
  `s.id, s.user_id as "userId", ${stateSql(now)} as state, s.reason, s.reason_message as "reasonMessage",
   to_char(s.local_at, 'YYYY-MM-DD"T"HH24:MI') as at, s.time_zone as "timeZone", s.later, s.due_at as "dueAt", s.version,
   s.send ->> 'subject' as subject, s.send ->> 'emailType' as "emailType", ${LISTS} as lists, s.estimate,
   s.history_id as "historyId", s.updated_at as "updatedAt"`;

/** SQL expression of the state as users see it. */
export const stateSql = (now: string): string =>
  `case when s.state = 'scheduled' and s.due_at <= ${now} then 'leaving' else s.state end`;
