import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { DeliveryStatus } from '../../shared/words/delivery-status.js';
import { DeliveryCounts } from './delivery-counts.service.js';
import { mask } from './masked-address.js';
import { DELIVERY_FILTERS, type DeliveryDto, type DeliveryFilter, type DeliveryQuery } from './dto/report.dto.js';

export const DELIVERY_COLUMNS = ['Email', 'Status', 'Sent', 'Message-ID', 'Detail', 'Server said', 'Possible duplicate', 'Unsubscribed'] as const;
const PAGE = 1000;

interface Row {
  position: number;
  masked: boolean;
  recipientEmail: string;
  status: DeliveryStatus;
  ambiguous: number;
  messageId: string | null;
  sentAt: Date | string | null;
  unsubscribedAt: Date | string | null;
  nextAttemptAt: Date | string | null;
  metadata: { reason?: string | null; code?: string; response?: string; retries?: number } | null;
}

/** The delivery log of a send; addresses of the shared network are masked and cannot be searched for (decisions.md D21). */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly em: EntityManager,
    private readonly counts: DeliveryCounts,
  ) {}

  async page(sendId: string, query: DeliveryQuery, limit: number): Promise<{ rows: DeliveryDto[]; total: number; next?: string }> {
    const found = await this.read(sendId, query, limit + 1, after(query.cursor));
    const shown = found.slice(0, limit);
    return { rows: shown.map(toDto), total: await this.total(sendId, query), next: found.length > limit ? String(shown.at(-1)!.position) : undefined };
  }

  async *all(sendId: string, query: DeliveryQuery): AsyncGenerator<DeliveryDto> {
    let last = after(query.cursor);
    for (;;) {
      const found = await this.read(sendId, query, PAGE, last);
      for (const row of found) yield toDto(row);
      if (found.length < PAGE) return;
      last = found.at(-1)!.position;
    }
  }

  async *csvRows(sendId: string, query: DeliveryQuery): AsyncGenerator<(string | null)[]> {
    for await (const row of this.all(sendId, query)) {
      yield [row.recipientEmail, row.status, row.sentAt, row.messageId, row.detail, row.said, row.possibleDuplicate ? 'yes' : null, row.unsubscribedAt];
    }
  }

  /** From the tallies where they know; what waits and what is searched for is counted. */
  private async total(sendId: string, query: DeliveryQuery): Promise<number> {
    const { status } = query;
    if (!query.search?.trim() && status !== 'queued' && status !== 'sending' && status !== 'deferred') {
      const counts = await this.counts.of(sendId);
      if (status) return counts[status];
      return counts.queued + counts.sent + counts.unconfirmed + counts.failed + counts.skipped + counts.bounced + counts.complained;
    }
    const { sql, params } = where(sendId, query);
    return (await rows<{ n: number }>(this.em, `select count(*)::int as n from email_delivery_logs where ${sql}`, params))[0]!.n;
  }

  private async read(sendId: string, query: DeliveryQuery, limit: number, last: number): Promise<Row[]> {
    const { sql, params } = where(sendId, query);
    return rows<Row>(
      this.em,
      `select position, masked, recipient_email as "recipientEmail", status, ambiguous, message_id as "messageId", sent_at as "sentAt",
         unsubscribed_at as "unsubscribedAt", next_attempt_at as "nextAttemptAt", metadata
       from email_delivery_logs where ${sql} and position > ? order by position limit ?`,
      [...params, last, limit],
    );
  }
}

/** Written out, so that the planner sees which of the partial indexes holds the rows. */
const CONDITIONS = Object.fromEntries(
  DELIVERY_FILTERS.map((filter) => [filter, filter === 'unsubscribed' ? ' and unsubscribed_at is not null' : ` and status = '${filter}'`]),
) as Record<DeliveryFilter, string>;

function where(sendId: string, { status, search }: DeliveryQuery): { sql: string; params: unknown[] } {
  const wanted = search?.trim();
  return {
    sql: `history_id = ?${status ? CONDITIONS[status] : ''}${wanted ? ' and not masked and recipient_email ilike ?' : ''}`,
    params: [sendId, ...(wanted ? [`%${wanted.replace(/[\\%_]/g, '\\$&')}%`] : [])],
  };
}

const after = (cursor?: string): number => (cursor && /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0);

function toDto(row: Row): DeliveryDto {
  return {
    recipientEmail: row.masked ? mask(row.recipientEmail) : row.recipientEmail,
    status: row.status,
    messageId: row.messageId,
    sentAt: iso(row.sentAt),
    detail: detailOf(row),
    said: saidIn(row),
    possibleDuplicate: row.ambiguous > 0 && row.status !== 'unconfirmed',
    unsubscribedAt: iso(row.unsubscribedAt),
    nextAttemptAt: row.status === 'deferred' ? iso(row.nextAttemptAt) : null,
  };
}

const iso = (time: Date | string | null): string | null => time && new Date(time).toISOString();

/** What happened, in words. */
function detailOf({ status, ambiguous, metadata, unsubscribedAt }: Row): string | null {
  if (unsubscribedAt) return 'Unsubscribed after this email';
  if (status === 'unconfirmed') return 'No answer from the mail server after handing over; it most likely arrived';
  if (status === 'sent') return ambiguous > 0 ? 'Sent again after an interruption; it may have arrived twice' : null;
  if (status === 'queued' && metadata?.retries) return 'Waits to be tried again';
  if (!metadata?.reason) return null;
  return status === 'deferred' ? `${metadata.reason}; it is tried again` : metadata.reason;
}

/** The server's own words only where the address they may hold is not masked. */
function saidIn({ masked, status, metadata }: Row): string | null {
  if (status !== 'failed' && status !== 'bounced' && status !== 'deferred') return null;
  return (masked ? metadata?.code : (metadata?.response ?? metadata?.code)) ?? null;
}
