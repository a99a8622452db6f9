import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';
import type { HistoryStatus, SendStop, SendType } from '../../shared/enums.js';
import { UsageLedger } from './usage-ledger.service.js';

/** Data stored when a send is accepted. */
export interface NewSendRecord {
  userId: string;
  lists: readonly { id: string; name: string }[];
  subject: string;
  content: string;
  /** Whether the send's texts are stored in send_messages. */
  composed: boolean;
  /** Whether files are attached to the send's messages. */
  attached: boolean;
  emailType: SendType;
  usageDate: string;
  idempotencyKey: string | null;
  /** Id of the draft that becomes this send. */
  draftId: string | null;
  contentHash: string;
  senderName: string;
  senderAgency: string | null;
  /** Business address of the sender on one line; null: none was given. */
  senderAddress: string | null;
  replyTo: string;
}

/** A send as other modules read it. */
export interface SendRecord {
  id: string;
  userId: string;
  /** Id of the draft that became this send. */
  draftId: string | null;
  subject: string;
  content: string;
  /** Whether the send's messages are composed from send_messages instead of `content`. */
  composed: boolean;
  /** Whether files are attached to the send's messages. */
  attached: boolean;
  /** Since when the attached files cannot be read; null: the files can be read, or were not read yet. */
  filesUnreadAt: Date | null;
  /**
   * Since when the file storage lacks one of the attached files, moved forward by time that does not count (FileWaits);
   * null: none is known to be missing.
   */
  filesMissingAt: Date | null;
  emailType: SendType;
  recipientCount: number;
  status: HistoryStatus;
  stopped: SendStop | null;
  sentAt: Date;
  contentHash: string;
  senderName: string;
  senderAgency: string | null;
  senderAddress: string | null;
  replyTo: string;
}

/** State of a send without its texts. */
export type SendState = Pick<SendRecord, 'userId' | 'status' | 'stopped' | 'recipientCount'>;

const STOPPED = `case when cancelled_at is not null then 'cancelled' when paused_at is not null then 'paused' end as stopped`;
const COLUMNS = `id, user_id as "userId", draft_id as "draftId", subject, content, composed, attached, files_unread_at as "filesUnreadAt", files_missing_at as "filesMissingAt", email_type as "emailType", recipient_count as "recipientCount", status,
  ${STOPPED},
  sent_at as "sentAt", content_hash as "contentHash", sender_name as "senderName", sender_agency as "senderAgency", sender_address as "senderAddress", reply_to as "replyTo"`;

/** Creates and completes the records of sends. */
@Injectable()
export class SendRecords {
  constructor(private readonly usage: UsageLedger) {}

  /**
   * Inserts a pending send with its lists; recipients are counted once their rows exist. Takes the time of acceptance
   * now and not at the start of the transaction, so that sends that waited for each other's lock get times in the order
   * of their acceptance.
   */
  async open(em: EntityManager, entry: NewSendRecord): Promise<{ id: string; sentAt: Date }> {
    const [opened] = await rows<{ id: string; sentAt: Date }>(
      em,
      `insert into email_history (user_id, email_list_id, subject, content, composed, attached, email_type, status, sent_at, usage_date, idempotency_key, draft_id, content_hash, sender_name, sender_agency, sender_address, reply_to)
       values (?, ?, ?, ?, ?, ?, ?, 'pending', clock_timestamp(), ?, ?, ?, ?, ?, ?, ?, ?) returning id, sent_at as "sentAt"`,
      [
        entry.userId,
        entry.lists[0]?.id ?? null,
        entry.subject,
        entry.content,
        entry.composed,
        entry.attached,
        entry.emailType,
        entry.usageDate,
        entry.idempotencyKey,
        entry.draftId,
        entry.contentHash,
        entry.senderName,
        entry.senderAgency,
        entry.senderAddress,
        entry.replyTo,
      ],
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
   * Stores the outcome once all recipients are settled. If no message went out, the send no longer counts towards the
   * daily limit. A late acceptance may turn failed into sent, and late bounces may turn sent into failed.
   * @returns the send's user if this call ended the send, else null
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
    if (!usageReturned && entry.usageReturned) await this.usage.recount(em, entry.userId, entry.usageDate);
    return ends ? { userId: entry.userId } : null;
  }

  async byKey(em: EntityManager, userId: string, idempotencyKey: string): Promise<SendRecord | undefined> {
    return (
      await rows<SendRecord>(em, `select ${COLUMNS} from email_history where user_id = ? and idempotency_key = ?`, [
        userId,
        idempotencyKey,
      ])
    )[0];
  }

  /** The send that a draft became. */
  async byDraft(em: EntityManager, userId: string, draftId: string): Promise<SendRecord | undefined> {
    const sql = `select ${COLUMNS} from email_history where user_id = ? and draft_id = ?`;
    return (await rows<SendRecord>(em, sql, [userId, draftId]))[0];
  }

  /** An identical send by the same user within the last 30 seconds. The new request is then a double click. */
  async repeatOf(em: EntityManager, userId: string, contentHash: string): Promise<SendRecord | undefined> {
    const sql = `select ${COLUMNS} from email_history where user_id = ? and content_hash = ? and sent_at > now() - interval '30 seconds' order by sent_at desc limit 1`;
    return (await rows<SendRecord>(em, sql, [userId, contentHash]))[0];
  }

  async byId(em: EntityManager, id: string): Promise<SendRecord | undefined> {
    return (await rows<SendRecord>(em, `select ${COLUMNS} from email_history where id = ?`, [id]))[0];
  }

  /** State of a send. Omits the content, which may have 100,000 characters, because the state is read often. */
  async stateOf(em: EntityManager, id: string): Promise<SendState | undefined> {
    const sql = `select user_id as "userId", status, recipient_count as "recipientCount", ${STOPPED} from email_history where id = ?`;
    return (await rows<SendState>(em, sql, [id]))[0];
  }

  /**
   * The send's number among the user's sends of that day, from 1. Sends that no longer count towards the daily limit
   * are left out.
   */
  async numberWithinDay(em: EntityManager, id: string): Promise<number> {
    const [found] = await rows<{ place: number }>(
      em,
      `select count(*)::int as place from email_history h join email_history o on o.user_id = h.user_id and o.usage_date = h.usage_date and o.sent_at > h.sent_at - interval '3 days' and (o.sent_at, o.id) <= (h.sent_at, h.id)
       where h.id = ? and (o.id = h.id or not o.usage_returned)`,
      [id],
    );
    return found!.place;
  }

  /** The send's lists in order of selection; the id of a deleted list is null. */
  async listsOf(em: EntityManager, id: string): Promise<{ id: string | null; name: string }[]> {
    return rows(
      em,
      `select email_list_id as id, name from email_history_lists where history_id = ? order by position`,
      [id],
    );
  }

  /** Ids of running sends. */
  async pending(em: EntityManager): Promise<string[]> {
    return (
      await rows<{ id: string }>(em, `select id from email_history where status = 'pending' order by sent_at`)
    ).map((row) => row.id);
  }
}
