import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { countMatches, type Matches } from '../../../shared/database/queries/read-page.js';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { DeliveryAddresses } from '../../delivery/index.js';
import type { DeliveryStatus } from '../../../shared/enums.js';
import { DELIVERY_FILTERS, type DeliveryFilter, type DeliveryQuery } from './report.dto.js';

export interface DeliveryRow {
  id: string;
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

const COLUMNS = `d.id, d.position, d.masked, d.recipient_email as "recipientEmail", d.status, d.ambiguous, d.message_id as "messageId", d.sent_at as "sentAt",
  d.unsubscribed_at as "unsubscribedAt", d.next_attempt_at as "nextAttemptAt", d.metadata`;

/** SQL conditions per filter. They contain the values as literals, so that the planner can use partial indexes. */
const CONDITIONS = Object.fromEntries(
  DELIVERY_FILTERS.map((filter) => [
    filter,
    filter === 'unsubscribed' ? ' and d.unsubscribed_at is not null' : ` and d.status = '${filter}'`,
  ]),
) as Record<DeliveryFilter, string>;

/** Reads the delivery log of a send in the order of sending. */
@Injectable()
export class DeliveryRows {
  constructor(
    private readonly em: EntityManager,
    private readonly addresses: DeliveryAddresses,
  ) {}

  /** Reads up to `limit` rows after a position. */
  async read(sendId: string, { status, search }: Selection, after: number, limit: number): Promise<DeliveryRow[]> {
    const blocks = await this.blocksOf(sendId, search, after);
    if (!blocks) {
      const { sql, params } = plain(sendId, { status, search }, after);
      return rows<DeliveryRow>(this.em, `select ${COLUMNS} from ${sql} order by d.position limit ?`, [
        ...params,
        limit,
      ]);
    }
    return rows<DeliveryRow>(
      this.em,
      `select ${COLUMNS} from (select b.first_position, a.line, a.place from ${blocks.sql}) found
         cross join lateral (select * from email_delivery_logs d where d.history_id = ? and d.position = found.place${conditionOf(status)} limit 1) d
       order by found.first_position, found.line limit ?`,
      [...blocks.params, sendId, limit],
    );
  }

  /** Counts the matching rows, up to COUNT_LIMIT. */
  async count(sendId: string, { status, search }: Selection): Promise<Matches> {
    const blocks = await this.blocksOf(sendId, search, 0);
    if (!blocks) return this.matches(plain(sendId, { status, search }, 0));
    if (!status) return this.matches(blocks);
    return this.matches({
      sql: `(select a.place from ${blocks.sql}) found join email_delivery_logs d on d.history_id = ? and d.position = found.place${conditionOf(status)}`,
      params: [...blocks.params, sendId],
    });
  }

  /** Number of deferred rows of a send. */
  async deferred(sendId: string): Promise<number> {
    const { sql, params } = plain(sendId, { status: 'deferred' }, 0);
    return (await rows<{ n: number }>(this.em, `select count(*)::int as n from ${sql}`, params))[0]!.n;
  }

  private matches({ sql, params }: SqlPart): Promise<Matches> {
    return countMatches(this.em, sql, params);
  }

  /**
   * Searches the address blocks of a send and returns SQL for the positions that match.
   * @returns null if there is no search text, or if the blocks do not cover the send
   */
  private async blocksOf(sendId: string, search: string | undefined, after: number): Promise<SqlPart | null> {
    const text = textOf(search);
    return text && (await this.addresses.cover(sendId)) ? this.addresses.places(sendId, text, after) : null;
  }
}

const textOf = (search = ''): string => search.replaceAll('\0', '').trim();
const conditionOf = (status?: DeliveryFilter): string => (status ? CONDITIONS[status] : '');

/** Builds the SQL that selects directly from the delivery rows, without the address blocks. */
function plain(sendId: string, { status, search }: Selection, after: number): SqlPart {
  const text = textOf(search);
  return {
    sql: `email_delivery_logs d where d.history_id = ? and d.position > ?${conditionOf(status)}${text ? ' and not d.masked and strpos(lower(d.recipient_email), lower(?)) > 0' : ''}`,
    params: [sendId, after, ...(text ? [text] : [])],
  };
}
