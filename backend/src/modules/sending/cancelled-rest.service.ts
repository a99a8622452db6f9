import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';

const AT_A_TIME = 5_000;

/**
 * Settles what a cancelled send has not handed over. Messages under way end on their own, and rows that another transaction holds
 * wait for the next round, so this never stands in a worker's way; a message that may have arrived is not called skipped.
 */
@Injectable()
export class CancelledRest {
  constructor(private readonly em: EntityManager) {}

  /** Nothing where the send is not cancelled. @param limitMs when to leave the rest to the next call */
  async skip(sendId: string, limitMs = Infinity): Promise<void> {
    const [send] = await rows<{ cancelled: boolean }>(this.em, `select cancelled_at is not null as cancelled from email_history where id = ?`, [sendId]);
    if (!send?.cancelled) return;
    const end = Date.now() + limitMs;
    while ((await this.skipSome(sendId)) === AT_A_TIME && Date.now() < end);
  }

  private skipSome(sendId: string): Promise<number> {
    return changed(
      this.em,
      `with rest as (
         select id from email_delivery_logs
         where history_id = ? and status in ('queued', 'sending', 'deferred') and not (status = 'sending' and transmitting and lease_until >= now())
         order by position limit ? for update skip locked)
       update email_delivery_logs d
       set status = case when d.ambiguous > 0 or d.transmitting then 'unconfirmed' else 'skipped' end,
         ambiguous = d.ambiguous + d.transmitting::int, transmitting = false, lease_until = null, next_attempt_at = null,
         metadata = coalesce(d.metadata, '{}') || '{"reason": "Cancelled by the sender", "class": null}'
       from rest where d.id = rest.id`,
      [sendId, AT_A_TIME],
    );
  }
}
