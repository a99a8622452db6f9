import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { countMatches, type Matches } from '../../shared/database/count-matches.js';
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
  async read(sendId: string, { status, search }: Selection, after: number, limit: number): Promise<DeliveryRow[]> {
    const blocks = await this.blocksOf(sendId, search, after);
    if (!blocks) {
      const { sql, params } = plain(sendId, { status, search }, after);
      return rows<DeliveryRow>(this.em, `select ${COLUMNS} from ${sql} order by d.position limit ?`, [...params, limit]);
    }
    return rows<DeliveryRow>(
      this.em,
      `select ${COLUMNS} from (select b.first_position, a.line, a.place from ${blocks.sql}) found
         cross join lateral (select * from email_delivery_logs d where d.history_id = ? and d.position = found.place${conditionOf(status)} limit 1) d
       order by found.first_position, found.line limit ?`,
      [...blocks.params, sendId, limit],
    );
  }

  /** How many there are, counted up to a limit. */
  async count(sendId: string, { status, search }: Selection): Promise<Matches> {
    const blocks = await this.blocksOf(sendId, search, 0);
    if (!blocks) return this.matches(plain(sendId, { status, search }, 0));
    if (!status) return this.matches(blocks);
    return this.matches({
      sql: `(select a.place from ${blocks.sql}) found join email_delivery_logs d on d.history_id = ? and d.position = found.place${conditionOf(status)}`,
      params: [...blocks.params, sendId],
    });
  }

  /** How many wait to be tried again. */
  async deferred(sendId: string): Promise<number> {
    const { sql, params } = plain(sendId, { status: 'deferred' }, 0);
    return (await rows<{ n: number }>(this.em, `select count(*)::int as n from ${sql}`, params))[0]!.n;
  }

  private matches({ sql, params }: SqlPart): Promise<Matches> {
    return countMatches(this.em, sql, params);
  }

  /** The places that a search in blocks finds; null where there is no search, or no blocks to search in. */
  private async blocksOf(sendId: string, search: string | undefined, after: number): Promise<SqlPart | null> {
    const text = textOf(search);
    return text && (await this.addresses.cover(sendId)) ? this.addresses.places(sendId, text, after) : null;
  }
}

const textOf = (search = ''): string => search.replaceAll('\0', '').trim();
const conditionOf = (status?: DeliveryFilter): string => (status ? CONDITIONS[status] : '');

/** Straight from the rows. */
function plain(sendId: string, { status, search }: Selection, after: number): SqlPart {
  const text = textOf(search);
  return {
    sql: `email_delivery_logs d where d.history_id = ? and d.position > ?${conditionOf(status)}${text ? ' and not d.masked and strpos(lower(d.recipient_email), lower(?)) > 0' : ''}`,
    params: [sendId, after, ...(text ? [text] : [])],
  };
}
