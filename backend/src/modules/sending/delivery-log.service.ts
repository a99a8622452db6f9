import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { DeliveryStatus } from '../../shared/words/delivery-status.js';
import type { DeliveryDto, DeliveryQuery } from './dto/report.dto.js';

export const DELIVERY_COLUMNS = ['Email', 'Status', 'Sent', 'Message-ID', 'Detail'] as const;
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
  metadata: { reason?: string | null; code?: string; response?: string } | null;
}

/** The delivery log of a send; addresses of the shared network are masked and cannot be searched for (decisions.md D21). */
@Injectable()
export class DeliveryLog {
  constructor(private readonly em: EntityManager) {}

  async page(sendId: string, query: DeliveryQuery, limit: number): Promise<{ rows: DeliveryDto[]; total: number; next?: string }> {
    const found = await this.read(sendId, query, limit + 1, after(query.cursor));
    const { sql, params } = where(sendId, query);
    const [count] = await rows<{ n: number }>(this.em, `select count(*)::int as n from email_delivery_logs where ${sql}`, params);
    const shown = found.slice(0, limit);
    return { rows: shown.map(toDto), total: count!.n, next: found.length > limit ? String(shown.at(-1)!.position) : undefined };
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
    for await (const row of this.all(sendId, query)) yield [row.recipientEmail, row.status, row.sentAt, row.messageId, row.detail];
  }

  private async read(sendId: string, query: DeliveryQuery, limit: number, last: number): Promise<Row[]> {
    const { sql, params } = where(sendId, query);
    return rows<Row>(
      this.em,
      `select position, masked, recipient_email as "recipientEmail", status, ambiguous, message_id as "messageId", sent_at as "sentAt",
         unsubscribed_at as "unsubscribedAt", metadata
       from email_delivery_logs where ${sql} and position > ? order by position limit ?`,
      [...params, last, limit],
    );
  }
}

function where(sendId: string, { status, search }: DeliveryQuery): { sql: string; params: unknown[] } {
  const wanted = search?.trim();
  return {
    sql: `history_id = ?${status ? ' and status = ?' : ''}${wanted ? ' and not masked and recipient_email ilike ?' : ''}`,
    params: [sendId, ...(status ? [status] : []), ...(wanted ? [`%${wanted.replace(/[\\%_]/g, '\\$&')}%`] : [])],
  };
}

const after = (cursor?: string): number => (cursor && /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0);

function toDto(row: Row): DeliveryDto {
  return {
    recipientEmail: row.masked ? mask(row.recipientEmail) : row.recipientEmail,
    status: row.status,
    messageId: row.messageId,
    sentAt: row.sentAt && new Date(row.sentAt).toISOString(),
    detail: detailOf(row),
  };
}

/** j…@example.com */
export function mask(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}…${address.slice(at)}`;
}

/** What happened, in words; the server's own words only where the address they may hold is not masked. */
function detailOf({ masked, status, ambiguous, metadata, unsubscribedAt }: Row): string | null {
  if (unsubscribedAt) return 'Unsubscribed after this email';
  if (status === 'unconfirmed') return 'No answer from the mail server after handing over; it most likely arrived';
  if (status === 'sent' && ambiguous > 0) return 'Sent again after an interruption; it may have arrived twice';
  if (!metadata?.reason || status === 'sent') return null;
  if (status === 'deferred') return `${metadata.reason}; it is tried again`;
  const said = masked ? metadata.code : (metadata.response ?? metadata.code);
  return said && (status === 'failed' || status === 'bounced') ? `${metadata.reason} (${said})` : metadata.reason;
}
