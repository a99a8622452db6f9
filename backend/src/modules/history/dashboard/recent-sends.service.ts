import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import type { HistoryStatus, SendStop } from '../../../shared/enums.js';
import { type SendTally, TALLY_SUMS } from '../send-totals-reader.service.js';

/** A running or recently ended send. */
export interface RecentSend extends SendTally {
  id: string;
  subject: string;
  status: HistoryStatus;
  stopped: SendStop | null;
  recipientCount: number;
  endedAt: Date | null;
}

const MAX_SENDS = 20;
/**
 * Days after its acceptance during which a send may be listed as recently ended. The retry schedule keeps no send
 * running for longer.
 */
const MAX_AGE_DAYS = 5;

const STOPPED = `case when h.cancelled_at is not null then 'cancelled' when h.paused_at is not null then 'paused' end as stopped`;

/** Running sends with their counts, read from tallies instead of delivery rows. */
@Injectable()
export class RecentSends {
  constructor(private readonly em: EntityManager) {}

  /**
   * Running sends of one account, and sends that ended within the last `endedWithinSeconds`; newest first. If there are
   * more than MAX_SENDS, active sends take precedence over paused ones, and paused over ended ones, so that a large
   * send stays listed to its end whatever else starts meanwhile.
   */
  async of(userId: string, endedWithinSeconds: number): Promise<RecentSend[]> {
    return rows<RecentSend>(
      this.em.fork(),
      `select h.id, h.subject, h.status, ${STOPPED}, h.recipient_count as "recipientCount", h.settled_at as "endedAt", t.*
       from (select * from email_history where user_id = ? and (
               status = 'pending' or sent_at > now() - interval '${MAX_AGE_DAYS} days' and settled_at > now() - make_interval(secs => ?::int))
             order by status = 'pending' and paused_at is null desc, status = 'pending' desc, sent_at desc limit ${MAX_SENDS}) h
         cross join lateral (select ${TALLY_SUMS} from delivery_tallies where history_id = h.id) t
       order by h.sent_at desc`,
      [userId, endedWithinSeconds],
    );
  }

  /**
   * Number of settled messages of each running send of these accounts. Omits sends paused over a minute ago, because
   * their numbers no longer change.
   */
  async countedOf(userIds: readonly string[]): Promise<{ id: string; userId: string; counted: number }[]> {
    return rows(
      this.em.fork(),
      `select h.id, h.user_id as "userId", coalesce((select sum(t.sent + t.unconfirmed + t.failed + t.skipped + t.bounced + t.complained) from delivery_tallies t where t.history_id = h.id), 0)::int as counted
       from email_history h where h.status = 'pending' and (h.paused_at is null or h.paused_at > now() - interval '1 minute') and h.user_id in (select jsonb_array_elements_text(?::jsonb)::uuid)`,
      [JSON.stringify(userIds)],
    );
  }
}
