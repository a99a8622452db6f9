import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';
import { sqlArray } from '../../shared/database/queries/sql-array.js';
import type { SendType } from '../../shared/enums.js';

/** One roll-up pass: it writes a send's deliveries into the activity of the people they went to. */
export interface ActivityPass {
  id: string;
  /** Deliveries up to this position are already processed. */
  position: number;
  /** The pass covers messages accepted after `since` and up to `until`. `since` is null in the first pass. */
  since: string | null;
  until: string;
}

/** A send with messages that are not rolled up yet. */
export interface PendingActivity {
  id: string;
  sendType: SendType;
  /** Time of acceptance. */
  sentAt: string;
}

/**
 * Tracks how far each send's deliveries have been rolled up into the activity of its recipients. A send is rolled up
 * when it ends, and again after each retry of failed recipients.
 */
@Injectable()
export class SendActivity {
  /**
   * Sends of an account with messages that are not rolled up yet, oldest first.
   * @param before id of a send; only sends accepted before that send
   */
  pendingOf(em: EntityManager, userId: string, before?: string): Promise<PendingActivity[]> {
    return rows<PendingActivity>(
      em,
      `select id, email_type as "sendType", sent_at::text as "sentAt" from email_history
       where user_id = ? and activity_pending${before === undefined ? '' : ` and (sent_at, id) < (select o.sent_at, o.id from email_history o where o.id = ?)`} order by sent_at, id`,
      before === undefined ? [userId] : [userId, before],
    );
  }

  /**
   * Locks one ended send that is not rolled up yet, until the transaction ends. A retry of the send waits for the lock.
   * @param except ids of sends to skip
   */
  async claim(em: EntityManager, except: readonly string[]): Promise<ActivityPass | null> {
    const [pass] = await rows<ActivityPass>(
      em,
      `update email_history h set activity_started_at = coalesce(h.activity_started_at, clock_timestamp())
       where h.id = (select n.id from email_history n where n.activity_pending and (n.status <> 'pending' or n.activity_position > 0) and n.id <> all (?::uuid[])
         order by n.user_id, n.sent_at, n.id limit 1 for no key update skip locked)
       returning h.id, h.activity_position as position, h.activity_until::text as since, h.activity_started_at::text as until`,
      [sqlArray(except)],
    );
    return pass ?? null;
  }

  /** Records that deliveries up to this position are processed. */
  async advance(em: EntityManager, id: string, position: number): Promise<void> {
    await changed(em, `update email_history set activity_position = ? where id = ?`, [position, id]);
  }

  /** Ends a pass. A send that was reopened meanwhile stays pending for another pass. */
  async finish(em: EntityManager, id: string): Promise<void> {
    await changed(
      em,
      `update email_history set activity_until = activity_started_at, activity_started_at = null, activity_position = 0, activity_pending = (status = 'pending') where id = ?`,
      [id],
    );
  }
}
