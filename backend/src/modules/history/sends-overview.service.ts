import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../shared/database/queries/all-of.js';
import { contains, Keyset } from '../../shared/database/queries/keyset.js';
import { readPage } from '../../shared/database/queries/read-page.js';
import { rows, type SqlPart } from '../../shared/database/queries/rows.js';
import type { Page } from '../../shared/http/index.js';
import { Accounts } from '../auth/index.js';
import type { AdminSendDto, AdminSendQuery, SendsTodayDto } from './dto/admin-send.dto.js';

const PAGE_ROWS = 50;
const TODAY = `h.sent_at >= date_trunc('day', now() at time zone ?) at time zone ?`;

const COLUMNS = `h.id, h.user_id as "userId", h.sender_name as "senderName", h.subject, h.email_type as "emailType", h.recipient_count::text as "recipientCount",
  h.sent_at as "sentAt", h.status, t.sent, t.failed, t.bounced, t.complained`;
const TALLIES = `
  select coalesce(sum(t.sent + t.unconfirmed), 0)::int as sent, coalesce(sum(t.failed), 0)::int as failed, coalesce(sum(t.bounced), 0)::int as bounced,
         coalesce(sum(t.complained), 0)::int as complained
  from delivery_tallies t where t.history_id = h.id`;

/** Sends of all users, for admins. */
@Injectable()
export class SendsOverview {
  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
  ) {}

  /** @param timeZone time zone in which the filter `today` is evaluated */
  async page(query: AdminSendQuery, timeZone: string): Promise<Page<AdminSendDto>> {
    const limit = query.limit ?? PAGE_ROWS;
    const keyset = new Keyset(
      { sentAt: { expression: 'h.sent_at', type: 'timestamptz' } },
      query.sort ?? '-sentAt',
      query.cursor,
      'h.id',
    );
    const page = await readPage<AdminSendDto>(this.em.fork(), keyset, limit, {
      columns: COLUMNS,
      from: `email_history h cross join lateral (${TALLIES}) t`,
      countFrom: 'email_history h',
      where: filter(query, timeZone),
    });
    const senders = new Map(
      (await this.accounts.byIds([...new Set(page.rows.map((row) => row.userId))])).map(({ id, email }) => [id, email]),
    );
    return { ...page, rows: page.rows.map((row) => viewOf(row, senders.get(row.userId))) };
  }

  /** Totals of the sends of all users since midnight in this time zone. */
  async today(timeZone: string): Promise<SendsTodayDto> {
    const [found] = await rows<SendsTodayDto>(
      this.em.fork(),
      `with day as (select h.id, h.user_id, h.recipient_count from email_history h where ${TODAY})
       select (select count(*)::int from day) as sends, (select count(distinct user_id)::int from day) as senders,
              (select coalesce(sum(recipient_count), 0)::int from day) as recipients,
              coalesce(sum(t.sent + t.unconfirmed), 0)::int as sent, coalesce(sum(t.failed), 0)::int as failed, coalesce(sum(t.skipped), 0)::int as skipped,
              coalesce(sum(t.bounced), 0)::int as bounced, coalesce(sum(t.complained), 0)::int as complained
       from delivery_tallies t where t.history_id in (select id from day)`,
      [timeZone, timeZone],
    );
    return found!;
  }
}

function filter({ search, userId, status, today }: AdminSendQuery, timeZone: string): SqlPart {
  const pattern = search?.trim() && contains(search.trim());
  return allOf([
    userId && ['h.user_id = ?', userId],
    status && ['h.status = ?', status],
    today && [TODAY, timeZone, timeZone],
    pattern && ['(h.subject ilike ? or h.sender_name ilike ? or h.reply_to ilike ?)', pattern, pattern, pattern],
  ]);
}

function viewOf(row: AdminSendDto, senderEmail = ''): AdminSendDto {
  const {
    id,
    userId,
    senderName,
    subject,
    emailType,
    recipientCount,
    sentAt,
    status,
    sent,
    failed,
    bounced,
    complained,
  } = row;
  return {
    id,
    userId,
    senderName,
    senderEmail,
    subject,
    emailType,
    recipientCount,
    sentAt: new Date(sentAt).toISOString(),
    status,
    sent,
    failed,
    bounced,
    complained,
  };
}
