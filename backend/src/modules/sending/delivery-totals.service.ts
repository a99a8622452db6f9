import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import type { Matches } from '../../shared/database/count-matches.js';
import { rows } from '../../shared/database/rows.js';
import { SendTotalsReader, settledOf } from '../history/index.js';
import { DeliveryRows } from './delivery-rows.service.js';
import type { DeliveryQuery } from './dto/report.dto.js';

/** How many rows of the delivery log a query finds: from the tallies as long as all the rows they counted stand. */
@Injectable()
export class DeliveryTotals {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly log: DeliveryRows,
    private readonly tallies: SendTotalsReader,
  ) {}

  async of(sendId: string, { status, search }: Pick<DeliveryQuery, 'status' | 'search'>): Promise<Matches> {
    const standing = search?.trim() ? null : await this.standing(sendId);
    if (standing === null || status === 'sending' || status === 'deferred') return this.log.count(sendId, { status, search });
    if (!status) return exact(standing);
    const ends = await this.tallies.ofSend(this.em, sendId);
    if (status !== 'queued') return exact(ends[status]);
    const open = standing - settledOf(ends);
    // What is just being sent counts as queued: to tell them apart every open row would have to be read.
    return exact(open > 0 ? Math.max(0, open - (await this.log.deferred(sendId))) : 0);
  }

  /** Rows of a send that are laid out; null where some may be gone already, being older than they are kept. */
  private async standing(sendId: string): Promise<number | null> {
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
