import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import { sqlArray } from '../../shared/database/queries/sql-array.js';
import { olderThan, type TimelineSource, TimelineSources } from '../contacts/index.js';
import { ContactIds, MailedContacts } from '../lists/index.js';

interface SentRow {
  id: string;
  at: string | Date;
  /** Time with microseconds, which a Date cannot hold. */
  exactAt: string;
  /** Whether the message belongs to the account of the timeline and went to the person of the timeline. */
  fits: boolean;
  subject: string | null;
  status: string;
  reason: string | null;
  sendId: string;
  listId: string;
}

/** Maximum rows per query. Pages grow up to this size if many rows do not belong to this person. */
const MAX_ROWS = 4_000;
const ANY = { sql: 'true', params: [] };

/**
 * The title contains the subject for a sent or failed message, and the reason for a bounce. `detail.subject` always has
 * the subject.
 */
function titleOf({ status, subject, reason }: SentRow): string {
  switch (status) {
    case 'bounced':
      return reason ? `Bounced: ${reason.replace(/^[A-Z](?=[a-z]* )/, (first) => first.toLowerCase())}` : 'Bounced';
    case 'complained':
      return 'Reported as spam';
    case 'failed':
      return `Could not be delivered "${subject ?? ''}"`;
    default:
      return `Sent "${subject ?? ''}"`;
  }
}

/**
 * SQL condition on a contact `c`: a message has reached the contact, or may have, because it is being sent or its
 * outcome is unknown.
 */
const REACHED = `exists (select 1 from email_delivery_logs d where d.contact_id = c.id and (d.sent_at is not null or d.status in ('sending', 'unconfirmed')))`;

/** Timeline source: which messages a person on the account's own lists was sent, and their outcomes. */
@Injectable()
export class DeliveryTimeline implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly timeline: TimelineSources,
    private readonly contacts: ContactIds,
    private readonly mailed: MailedContacts,
  ) {}

  onModuleInit(): void {
    this.timeline.add(this.messages);
    this.mailed.provide(REACHED);
  }

  private readonly messages: TimelineSource = {
    kind: 'messages',
    before: async (subject, place, limit) => {
      const ids = await this.contacts.of(subject);
      if (ids.length === 0) return [];
      const older = olderThan('d.sent_at', `'message:' || d.id`, place);
      const found: SentRow[] = [];
      let last: SentRow | undefined;
      for (let size = limit; found.length < limit; size = Math.min(2 * size, MAX_ROWS)) {
        const next = last ? { sql: `(d.sent_at, d.id) < (?::timestamptz, ?)`, params: [last.exactAt, last.id] } : ANY;
        // Reads along an index for each contact of the person, however many messages there are. Nearly all rows fit. If
        // `fits` were a condition of the query, PostgreSQL would expect so few rows that it would read and sort all of
        // them.
        const page = await rows<SentRow>(
          this.em.fork(),
          `select m.* from unnest(?::uuid[]) as c(id) cross join lateral (
             select d.id, d.sent_at as at, d.sent_at::text as "exactAt", d.subject, d.status, d.metadata ->> 'reason' as reason, d.history_id as "sendId", d.email_list_id as "listId",
               d.user_id = ? and not d.masked and lower(d.recipient_email) = any (?::text[]) as fits
             from email_delivery_logs d where d.contact_id = c.id and d.sent_at is not null and ${older.sql} and ${next.sql}
             order by d.sent_at desc, d.id desc limit ?
           ) m order by m.at desc, m.id desc limit ?`,
          [sqlArray(ids), subject.ownerId, sqlArray(subject.addresses), ...older.params, ...next.params, size, size],
        );
        // Older messages of a contact may have gone to another person, if the contact's address was changed on its list
        // only.
        found.push(...page.filter(({ fits }) => fits));
        last = page.at(-1);
        if (page.length < size) break;
      }
      return found.slice(0, limit).map((row) => ({
        at: new Date(row.at),
        key: `message:${row.id}`,
        kind: 'messages' as const,
        title: titleOf(row),
        detail: { status: row.status, subject: row.subject },
        sendId: row.sendId,
        listId: row.listId,
      }));
    },
  };
}
