import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import type { Matches } from '../../../shared/database/queries/read-page.js';
import { rows } from '../../../shared/database/queries/rows.js';
import { SendTotalsReader, settledOf, SendRecords, type SendState } from '../../history/index.js';
import { DeliveryRows } from './delivery-rows.service.js';
import type { DeliveryQuery, DeliveryCountsDto } from './report.dto.js';

/** Totals for the delivery log. Uses the tallies as long as all counted rows still exist, else counts rows. */
@Injectable()
export class DeliveryTotals {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly log: DeliveryRows,
    private readonly tallies: SendTotalsReader,
  ) {}

  async of(sendId: string, { status, search }: Pick<DeliveryQuery, 'status' | 'search'>): Promise<Matches> {
    const listed = search?.trim() ? null : await this.listed(sendId);
    if (listed === null || status === 'sending' || status === 'deferred')
      return this.log.count(sendId, { status, search });
    if (!status) return exact(listed);
    const ends = await this.tallies.ofSend(this.em, sendId);
    if (status !== 'queued') return exact(ends[status]);
    const open = listed - settledOf(ends);
    // Includes rows with the status `sending`, because telling them apart would require reading every open row.
    return exact(open > 0 ? Math.max(0, open - (await this.log.deferred(sendId))) : 0);
  }

  /**
   * Number of rows that the send has so far.
   * @returns null if retention may have deleted some of them
   */
  private async listed(sendId: string): Promise<number | null> {
    const [send] = await rows<{ laidOut: number; isWhole: boolean }>(
      this.em,
      `select coalesce(l.laid_out, h.recipient_count) as "laidOut", h.sent_at > now() - make_interval(days => ?::int)
         and exists (select 1 from email_delivery_logs where history_id = h.id and position = 1) as "isWhole"
       from email_history h left join send_layouts l on l.history_id = h.id where h.id = ?`,
      [this.settings.retention.deliveryLogs, sendId],
    );
    return send?.isWhole ? send.laidOut : null;
  }
}

const exact = (total: number): Matches => ({ total, isTotalCapped: false });

/** Counts a send's recipients by status. Reads the tallies, so the cost does not depend on the number of recipients. */
@Injectable()
export class DeliveryCounts {
  constructor(
    private readonly em: EntityManager,
    private readonly records: SendRecords,
    private readonly totals: SendTotalsReader,
  ) {}

  async of(sendId: string): Promise<DeliveryCountsDto> {
    return this.countsOf(this.em, sendId, await this.records.stateOf(this.em, sendId));
  }

  /** Counts for a send whose state the caller has just read. */
  async countsOf(em: EntityManager, sendId: string, send: SendState | undefined): Promise<DeliveryCountsDto> {
    const ended = await this.totals.ofSend(em, sendId);
    const waiting = send?.status === 'pending' ? send.recipientCount - settledOf(ended) : 0;
    return { ...ended, queued: Math.max(0, waiting) };
  }
}
