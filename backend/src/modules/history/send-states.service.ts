import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';
import { NO_FILE_WAIT } from './file-waits.service.js';
import { UsageLedger } from './usage-ledger.service.js';

/**
 * Changes the state of a send: paused, resumed, cancelled or reopened. Each change is one guarded statement. `pause`,
 * `resume` and `cancel` return whether they applied.
 */
@Injectable()
export class SendStates {
  constructor(private readonly usage: UsageLedger) {}

  async pause(em: EntityManager, id: string): Promise<boolean> {
    return (
      (await changed(
        em,
        `update email_history set paused_at = now() where id = ? and status = 'pending' and paused_at is null and cancelled_at is null`,
        [id],
      )) > 0
    );
  }

  async resume(em: EntityManager, id: string): Promise<boolean> {
    return (
      (await changed(
        em,
        `update email_history set paused_at = null where id = ? and status = 'pending' and paused_at is not null`,
        [id],
      )) > 0
    );
  }

  async cancel(em: EntityManager, id: string): Promise<boolean> {
    return (
      (await changed(
        em,
        `update email_history set cancelled_at = now(), paused_at = null where id = ? and status = 'pending' and cancelled_at is null`,
        [id],
      )) > 0
    );
  }

  /** Locks the send's record, so that it cannot be settled before the caller's transaction ends. */
  async hold(em: EntityManager, id: string): Promise<void> {
    await rows(em, `select id from email_history where id = ? for update`, [id]);
  }

  /** Reopens a settled send for retries. If it no longer counted towards the daily limit, it counts again. */
  async reopen(em: EntityManager, id: string): Promise<void> {
    const [before] = await rows<{ userId: string; usageDate: string }>(
      em,
      `select user_id as "userId", to_char(usage_date, 'YYYY-MM-DD') as "usageDate" from email_history where id = ? and usage_returned for update`,
      [id],
    );
    await changed(
      em,
      `update email_history set status = 'pending', settled_at = null, usage_returned = false, activity_pending = true,
         ${NO_FILE_WAIT} where id = ?`,
      [id],
    );
    if (before) await this.usage.recount(em, before.userId, before.usageDate);
  }
}
