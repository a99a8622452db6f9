import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import type { HistoryStatus } from '../../shared/words/history-status.js';
import type { SendStop } from '../../shared/words/send-stop.js';
import type { SendType } from '../../shared/words/send-type.js';
import { UsageLedger } from './usage-ledger.service.js';

/** What is written down when a send is accepted. */
export interface NewEntry {
  userId: string;
  lists: readonly { id: string; name: string }[];
  subject: string;
  content: string;
  emailType: SendType;
  usageDate: string;
  idempotencyKey: string | null;
  contentHash: string;
  senderName: string;
  senderAgency: string | null;
  replyTo: string;
}

/** An entry as others may read it. */
export interface Entry {
  id: string;
  userId: string;
  subject: string;
  content: string;
  emailType: SendType;
  recipientCount: number;
  status: HistoryStatus;
  stopped: SendStop | null;
  sentAt: Date;
  contentHash: string;
  senderName: string;
  senderAgency: string | null;
  replyTo: string;
}

/** How a send stands, without its message. */
export type Standing = Pick<Entry, 'userId' | 'status' | 'stopped' | 'recipientCount'>;

const STOPPED = `case when cancelled_at is not null then 'cancelled' when paused_at is not null then 'paused' end as stopped`;
const COLUMNS = `id, user_id as "userId", subject, content, email_type as "emailType", recipient_count as "recipientCount", status,
  ${STOPPED},
  sent_at as "sentAt", content_hash as "contentHash", sender_name as "senderName", sender_agency as "senderAgency", reply_to as "replyTo"`;

/** Opens and closes the records of sends. */
@Injectable()
export class HistoryBook {
  constructor(private readonly usage: UsageLedger) {}

  /** Writes a pending entry and its lists; the recipients are counted once their rows stand. */
  async open(em: EntityManager, entry: NewEntry): Promise<{ id: string; sentAt: Date }> {
    const [opened] = await rows<{ id: string; sentAt: Date }>(
      em,
      `insert into email_history (user_id, email_list_id, subject, content, email_type, status, sent_at, usage_date, idempotency_key, content_hash, sender_name, sender_agency, reply_to)
       values (?, ?, ?, ?, ?, 'pending', now(), ?, ?, ?, ?, ?, ?) returning id, sent_at as "sentAt"`,
      [entry.userId, entry.lists[0]!.id, entry.subject, entry.content, entry.emailType, entry.usageDate, entry.idempotencyKey,
        entry.contentHash, entry.senderName, entry.senderAgency, entry.replyTo],
    );
    await changed(
      em,
      `insert into email_history_lists (history_id, position, email_list_id, name)
       select ?, l.position, l.id, l.name from jsonb_to_recordset(?::jsonb) as l(position int, id uuid, name text)`,
      [opened!.id, JSON.stringify(entry.lists.map((list, position) => ({ position, id: list.id, name: list.name })))],
    );
    return opened!;
  }

  async countRecipients(em: EntityManager, id: string, recipientCount: number): Promise<void> {
    await changed(em, `update email_history set recipient_count = ? where id = ?`, [recipientCount, id]);
  }

  /**
   * Writes what became of a send once all its recipients are settled; a send that never went out gives its place of the day back.
   * A late acceptance may still turn failed into sent, and late bounces sent into failed.
   * @returns whose send it is where this call was the one that ended it, else null
   */
  async settle(em: EntityManager, id: string, outcome: 'sent' | 'failed'): Promise<{ userId: string } | null> {
    const [entry] = await rows<{ userId: string; usageDate: string; status: HistoryStatus; usageReturned: boolean }>(
      em,
      `select user_id as "userId", to_char(usage_date, 'YYYY-MM-DD') as "usageDate", status, usage_returned as "usageReturned" from email_history where id = ? for update`,
      [id],
    );
    if (!entry || entry.status === outcome) return null;
    const ends = entry.status === 'pending';
    const usageReturned = outcome === 'failed' && (ends || entry.usageReturned);
    await changed(
      em,
      `update email_history set status = ?, settled_at = coalesce(settled_at, now()), paused_at = null, usage_returned = ? where id = ?`,
      [outcome, usageReturned, id],
    );
    if (usageReturned && !entry.usageReturned) await this.usage.release(em, entry.userId, entry.usageDate);
    if (!usageReturned && entry.usageReturned) await this.usage.retake(em, entry.userId, entry.usageDate);
    return ends ? { userId: entry.userId } : null;
  }

  async byKey(em: EntityManager, userId: string, idempotencyKey: string): Promise<Entry | undefined> {
    return (await rows<Entry>(em, `select ${COLUMNS} from email_history where user_id = ? and idempotency_key = ?`, [userId, idempotencyKey]))[0];
  }

  /** The same content by the same user within 30 seconds: a double click (decisions.md D25). */
  async repeatOf(em: EntityManager, userId: string, contentHash: string): Promise<Entry | undefined> {
    const sql = `select ${COLUMNS} from email_history where user_id = ? and content_hash = ? and sent_at > now() - interval '30 seconds' order by sent_at desc limit 1`;
    return (await rows<Entry>(em, sql, [userId, contentHash]))[0];
  }

  async byId(em: EntityManager, id: string): Promise<Entry | undefined> {
    return (await rows<Entry>(em, `select ${COLUMNS} from email_history where id = ?`, [id]))[0];
  }

  /** What is asked often: a message may have 100,000 characters. */
  async standing(em: EntityManager, id: string): Promise<Standing | undefined> {
    const sql = `select user_id as "userId", status, recipient_count as "recipientCount", ${STOPPED} from email_history where id = ?`;
    return (await rows<Standing>(em, sql, [id]))[0];
  }

  /** Which send of its day a send is, from 1; those that were given back are not counted. */
  async placeOfDay(em: EntityManager, id: string): Promise<number> {
    const [found] = await rows<{ place: number }>(
      em,
      `select count(*)::int as place from email_history h join email_history o on o.user_id = h.user_id and o.usage_date = h.usage_date and o.sent_at > h.sent_at - interval '3 days' and (o.sent_at, o.id) <= (h.sent_at, h.id)
       where h.id = ? and (o.id = h.id or not o.usage_returned)`,
      [id],
    );
    return found!.place;
  }

  /** The lists of a send in the order they were chosen; id is null once a list is deleted. */
  async listsOf(em: EntityManager, id: string): Promise<{ id: string | null; name: string }[]> {
    return rows(em, `select email_list_id as id, name from email_history_lists where history_id = ? order by position`, [id]);
  }

  /** Sends that are still under way. */
  async pending(em: EntityManager): Promise<string[]> {
    return (await rows<{ id: string }>(em, `select id from email_history where status = 'pending' order by sent_at`)).map((row) => row.id);
  }
}
