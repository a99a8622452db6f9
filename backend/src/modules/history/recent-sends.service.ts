import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { bulkRows, rows } from '../../shared/database/rows.js';
import type { HistoryStatus } from '../../shared/words/history-status.js';
import type { SendStop } from '../../shared/words/send-stop.js';
import { type SendTally, TALLY_SUMS } from './send-totals.service.js';

/** A send that is under way, or that ended a moment ago. */
export interface RecentSend extends SendTally {
  id: string;
  subject: string;
  status: HistoryStatus;
  stopped: SendStop | null;
  recipientCount: number;
  endedAt: Date | null;
}

const MOST = 20;
/** A send that has been tried for longer than this ends with the schedule of retries. */
const LONGEST_DAYS = 5;

const STOPPED = `case when h.cancelled_at is not null then 'cancelled' when h.paused_at is not null then 'paused' end as stopped`;

/** The sends that are under way, with their counts: from the tallies, no delivery row is read. */
@Injectable()
export class RecentSends {
  constructor(private readonly em: EntityManager) {}

  /** Of one account, those too that ended within the last seconds. */
  async of(userId: string, endedWithinSeconds: number): Promise<RecentSend[]> {
    return rows<RecentSend>(
      this.em.fork(),
      `select h.id, h.subject, h.status, ${STOPPED}, h.recipient_count as "recipientCount", h.settled_at as "endedAt", t.*
       from (select * from email_history where user_id = ? and (
               status = 'pending' or sent_at > now() - interval '${LONGEST_DAYS} days' and settled_at > now() - make_interval(secs => ?::int))
             order by sent_at desc limit ${MOST}) h
         cross join lateral (select ${TALLY_SUMS} from delivery_tallies where history_id = h.id) t
       order by h.sent_at desc`,
      [userId, endedWithinSeconds],
    );
  }

  /** How many messages of each send of these accounts have been counted, where they may change: one that was paused a while ago stands still. */
  async countedOf(userIds: readonly string[]): Promise<{ id: string; userId: string; counted: number }[]> {
    return bulkRows(
      this.em.fork(),
      `select h.id, h.user_id as "userId", coalesce((select sum(t.sent + t.unconfirmed + t.failed + t.skipped + t.bounced + t.complained) from delivery_tallies t where t.history_id = h.id), 0)::int as counted
       from email_history h where h.status = 'pending' and (h.paused_at is null or h.paused_at > now() - interval '1 minute') and h.user_id in (select jsonb_array_elements_text(?::jsonb)::uuid)`,
      [JSON.stringify(userIds)],
    );
  }
}
