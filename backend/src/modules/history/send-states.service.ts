import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';
import { UsageLedger } from './usage-ledger.service.js';

/**
 * Hours for which a send waits for attached files that the file storage has lost. Long enough to mount a lost volume or
 * to restore a backup after a weekend; after that, the email is out of date and must not go out.
 */
export const FILES_MISSING_HOURS = 72;
/**
 * Minutes between two looks that find files missing after which FILES_MISSING_HOURS start anew. During a longer gap, the
 * workers were stopped or the send was paused, and nobody knows whether the files were there.
 */
const MISSING_GAP_MINUTES = 60;

/**
 * Changes the state of a send: paused, cancelled, reopened, or waiting for files. Each change is one guarded statement.
 * `pause`, `resume` and `cancel` return whether they applied.
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

  /**
   * Records that the attached files of a running send cannot be read.
   * @param areMissing true: the file storage lacks one of them; false: it does not answer
   * @returns whether the files are lost: missing now, and found missing for FILES_MISSING_HOURS without a longer gap
   * between two looks than MISSING_GAP_MINUTES
   */
  async filesUnread(em: EntityManager, id: string, areMissing: boolean): Promise<boolean> {
    if (!areMissing) {
      await changed(
        em,
        `update email_history set files_unread_at = now() where id = ? and status = 'pending' and files_unread_at is null`,
        [id],
      );
      return false;
    }
    // Written at most once a minute: every batch of the send looks for the files.
    await changed(
      em,
      `update email_history set files_unread_at = coalesce(files_unread_at, now()), files_last_missing_at = now(),
         files_missing_at = case when files_last_missing_at > now() - interval '${MISSING_GAP_MINUTES} minutes' then coalesce(files_missing_at, now()) else now() end
       where id = ? and status = 'pending' and (files_missing_at is null or files_last_missing_at is null or files_last_missing_at < now() - interval '1 minute')`,
      [id],
    );
    const lost = await rows(
      em,
      `select 1 from email_history where id = ? and files_missing_at < now() - interval '${FILES_MISSING_HOURS} hours'`,
      [id],
    );
    return lost.length > 0;
  }

  /** Records that the attached files of a send can be read. */
  async filesRead(em: EntityManager, id: string): Promise<void> {
    await changed(
      em,
      `update email_history set files_unread_at = null, files_missing_at = null, files_last_missing_at = null where id = ? and files_unread_at is not null`,
      [id],
    );
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
         files_unread_at = null, files_missing_at = null, files_last_missing_at = null where id = ?`,
      [id],
    );
    if (before) await this.usage.recount(em, before.userId, before.usageDate);
  }
}
