import { Injectable } from '@nestjs/common';
import { positionOf } from '../../../shared/database/queries/position-cursor.js';
import { isoTime } from '../../../shared/text/formats.js';
import type { Page } from '../../../shared/http/index.js';
import { DeliveryRows, type DeliveryRow } from './delivery-rows.service.js';
import { DeliveryTotals } from './delivery-totals.service.js';
import type { DeliveryDto, DeliveryQuery } from './report.dto.js';

/** Masks a mail address: j…@example.com. */
export function mask(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}…${address.slice(at)}`;
}

export const DELIVERY_COLUMNS = [
  'Email',
  'Status',
  'Sent',
  'Message-ID',
  'Detail',
  'Server said',
  'Possible duplicate',
  'Unsubscribed',
] as const;
const PAGE_ROWS = 1000;

/**
 * Delivery log of a send, for its sender. Masks addresses of the shared network; see decisions.md: network-addresses.
 */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly log: DeliveryRows,
    private readonly totals: DeliveryTotals,
  ) {}

  async page(sendId: string, query: DeliveryQuery, limit: number): Promise<Page<DeliveryDto>> {
    const after = positionOf(query.cursor);
    const known = query.search?.trim() ? undefined : await this.totals.of(sendId, query);
    // If the total is zero, skips the search through all rows of the send.
    const found = known?.total === 0 ? [] : await this.log.read(sendId, query, after, limit + 1);
    const isAll = !query.cursor && found.length <= limit;
    const total = known ?? (isAll ? { total: found.length } : await this.totals.of(sendId, query));
    const shown = found.slice(0, limit);
    return {
      rows: shown.map(toDto),
      ...total,
      next: found.length > limit ? String(shown.at(-1)!.position) : undefined,
    };
  }

  /** The deliveries after the cursor. @throws 400 before the first row if the cursor is not valid */
  all(sendId: string, query: DeliveryQuery): AsyncGenerator<DeliveryDto> {
    return this.from(positionOf(query.cursor), sendId, query);
  }

  private async *from(position: number, sendId: string, query: DeliveryQuery): AsyncGenerator<DeliveryDto> {
    let last = position;
    for (;;) {
      const found = await this.log.read(sendId, query, last, PAGE_ROWS);
      for (const row of found) yield toDto(row);
      if (found.length < PAGE_ROWS) return;
      last = found.at(-1)!.position;
    }
  }

  /** The same as rows of a CSV file. @throws 400 as `all` does */
  csvRows(sendId: string, query: DeliveryQuery): AsyncGenerator<(string | null)[]> {
    return toCsvRows(this.all(sendId, query));
  }
}

async function* toCsvRows(deliveries: AsyncIterable<DeliveryDto>): AsyncGenerator<(string | null)[]> {
  for await (const row of deliveries) {
    yield [
      row.recipientEmail,
      row.status,
      row.sentAt,
      row.messageId,
      row.detail,
      row.said,
      row.possibleDuplicate ? 'yes' : null,
      row.unsubscribedAt,
    ];
  }
}

function toDto(row: DeliveryRow): DeliveryDto {
  return {
    id: row.id,
    recipientEmail: row.masked ? mask(row.recipientEmail) : row.recipientEmail,
    status: row.status,
    messageId: row.messageId,
    sentAt: isoTime(row.sentAt),
    detail: detailOf(row),
    said: saidIn(row),
    possibleDuplicate: row.ambiguous > 0 && row.status !== 'unconfirmed',
    unsubscribedAt: isoTime(row.unsubscribedAt),
    nextAttemptAt: row.status === 'deferred' ? isoTime(row.nextAttemptAt) : null,
  };
}

/** Describes in words what happened to a delivery. */
function detailOf({ status, ambiguous, metadata, unsubscribedAt }: DeliveryRow): string | null {
  if (unsubscribedAt) return 'Unsubscribed after this email';
  if (status === 'unconfirmed') return 'No answer from the mail server after handing over; it most likely arrived';
  if (status === 'sent') return ambiguous > 0 ? 'Sent again after an interruption; it may have arrived twice' : null;
  if (status === 'queued' && metadata?.retries) return 'Waits to be tried again';
  if (!metadata?.reason) return null;
  return status === 'deferred' ? `${metadata.reason}; it is tried again` : metadata.reason;
}

/** The mail server's reply. If the address is masked, only its code, because the reply may contain the address. */
function saidIn({ masked, status, metadata }: DeliveryRow): string | null {
  if (status !== 'failed' && status !== 'bounced' && status !== 'deferred') return null;
  return (masked ? metadata?.code : (metadata?.response ?? metadata?.code)) ?? null;
}
