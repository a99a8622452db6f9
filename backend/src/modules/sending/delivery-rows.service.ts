import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { SqlPart } from '../lists/index.js';
import type { DeliveryStatus } from '../../shared/words/delivery-status.js';
import { DeliveryAddresses } from './delivery-addresses.service.js';
import { DELIVERY_FILTERS, type DeliveryFilter, type DeliveryQuery } from './dto/report.dto.js';

export interface DeliveryRow {
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

type Selection = Pick<DeliveryQuery, 'status' | 'search'>;

const COLUMNS = `d.position, d.masked, d.recipient_email as "recipientEmail", d.status, d.ambiguous, d.message_id as "messageId", d.sent_at as "sentAt",
  d.unsubscribed_at as "unsubscribedAt", d.next_attempt_at as "nextAttemptAt", d.metadata`;

/** Written out, so that the planner sees which of the partial indexes holds the rows. */
const CONDITIONS = Object.fromEntries(
  DELIVERY_FILTERS.map((filter) => [filter, filter === 'unsubscribed' ? ' and d.unsubscribed_at is not null' : ` and d.status = '${filter}'`]),
) as Record<DeliveryFilter, string>;

/** The rows of a send's delivery log, in the order of sending. */
@Injectable()
export class DeliveryRows {
  constructor(
    private readonly em: EntityManager,
    private readonly addresses: DeliveryAddresses,
  ) {}

  /** The next so many after a position. */
  async read(sendId: string, query: Selection, after: number, limit: number): Promise<DeliveryRow[]> {
    const { sql, params, order } = await this.from(sendId, query, after);
    return rows<DeliveryRow>(this.em, `select ${COLUMNS} from ${sql} order by ${order} limit ?`, [...params, limit]);
  }

  async count(sendId: string, query: Selection): Promise<number> {
    const { sql, params } = await this.from(sendId, query, 0);
    return (await rows<{ n: number }>(this.em, `select count(*)::int as n from ${sql}`, params))[0]!.n;
  }

  private async from(sendId: string, { status, search }: Selection, after: number): Promise<SqlPart & { order: string }> {
    const wanted = search?.trim().replaceAll('\0', '');
    const condition = status ? CONDITIONS[status] : '';
    if (wanted && (await this.addresses.cover(sendId))) {
      const places = this.addresses.places(sendId, wanted, after);
      return {
        sql: `(select b.first_position, a.line, a.place from ${places.sql}) found
              cross join lateral (select * from email_delivery_logs d where d.history_id = ? and d.position = found.place${condition} limit 1) d`,
        params: [...places.params, sendId],
        order: 'found.first_position, found.line',
      };
    }
    return {
      sql: `email_delivery_logs d where d.history_id = ? and d.position > ?${condition}${wanted ? ' and not d.masked and strpos(lower(d.recipient_email), lower(?)) > 0' : ''}`,
      params: [sendId, after, ...(wanted ? [wanted] : [])],
      order: 'd.position',
    };
  }
}
