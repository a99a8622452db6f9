import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import type { SendOutcomeDto } from './dashboard.dto.js';

/** Sends of one day with the outcome of their messages. */
export interface SendDay {
  date: string;
  sends: number;
  sent: number;
  /** Part of `sent` without a final reply of the mail server. */
  unconfirmed: number;
  failed: number;
  bounced: number;
}

const OUTCOMES = 10;

/**
 * Sums of a send's tallies. `sent` includes unconfirmed messages, which most likely arrived, and complaints, which
 * prove delivery.
 */
const TALLY = `
  coalesce(sum(t.sent + t.unconfirmed + t.complained), 0)::int as sent, coalesce(sum(t.unconfirmed), 0)::int as unconfirmed, coalesce(sum(t.failed), 0)::int as failed,
  coalesce(sum(t.bounced), 0)::int as bounced, coalesce(sum(t.skipped), 0)::int as skipped`;

/** Sends and outcomes for the charts, read from tallies instead of delivery rows. */
@Injectable()
export class SendTrends {
  constructor(private readonly em: EntityManager) {}

  /** The user's current date, by the database's clock. */
  async today(timeZone: string): Promise<string> {
    const [row] = await rows<{ date: string }>(
      this.em,
      `select to_char(now() at time zone ?::text, 'YYYY-MM-DD') as date`,
      [timeZone],
    );
    return row!.date;
  }

  /** Days with at least one send, from the date `from` (in `timeZone`) on. */
  async daysSince(userId: string, timeZone: string, from: string): Promise<SendDay[]> {
    return rows<SendDay>(
      this.em,
      `select to_char(h.sent_at at time zone z.name, 'YYYY-MM-DD') as date, count(*)::int as sends, sum(o.sent)::int as sent, sum(o.unconfirmed)::int as unconfirmed, sum(o.failed)::int as failed, sum(o.bounced)::int as bounced
       from (select ?::text as name) z cross join email_history h
       cross join lateral (select ${TALLY} from delivery_tallies t where t.history_id = h.id) o
       where h.user_id = ? and h.sent_at >= (?::date)::timestamp at time zone z.name
       group by 1`,
      [timeZone, userId, from],
    );
  }

  /** The newest sends with their outcome, newest first. */
  async outcomes(userId: string): Promise<SendOutcomeDto[]> {
    const found = await rows<Omit<SendOutcomeDto, 'sentAt'> & { sentAt: Date | string }>(
      this.em,
      `select h.id, h.subject, h.sent_at as "sentAt", o.sent, o.unconfirmed, o.failed, o.bounced, o.skipped
       from (select id, subject, sent_at from email_history where user_id = ? order by sent_at desc, id desc limit ${OUTCOMES}) h
       cross join lateral (select ${TALLY} from delivery_tallies t where t.history_id = h.id) o
       order by h.sent_at desc, h.id desc`,
      [userId],
    );
    return found.map((send) => ({ ...send, sentAt: new Date(send.sentAt).toISOString() }));
  }
}
