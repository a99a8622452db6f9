import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';

/**
 * Hours for which a send waits for attached files that the file storage has lost. Long enough to mount a lost volume or
 * to restore a backup after a weekend; after that, the email is out of date and must not go out.
 */
export const FILES_MISSING_HOURS = 72;
/**
 * Maximum minutes between two looks for missing files that count as waiting. During a longer gap, the workers were
 * stopped or the send was paused, and it is unknown whether the files were there; the rest of the gap does not count.
 */
const COUNTED_GAP_MINUTES = 60;

/** SQL assignments to a row of email_history: the send does not wait for files. */
export const NO_FILE_WAIT = 'files_unread_at = null, files_missing_at = null, files_last_missing_at = null';

/** Records since when a running send waits for its attached files, and decides when they count as lost. */
@Injectable()
export class FileWaits {
  /** Records that the file storage does not answer. */
  async noteUnanswered(em: EntityManager, sendId: string): Promise<void> {
    await changed(
      em,
      `update email_history set files_unread_at = now() where id = ? and status = 'pending' and files_unread_at is null`,
      [sendId],
    );
  }

  /**
   * Records that the file storage lacks one of the files.
   * @returns whether the files are lost: the send has waited for them for FILES_MISSING_HOURS
   */
  async noteMissing(em: EntityManager, sendId: string): Promise<boolean> {
    await changed(em, RECORD_MISSING, [sendId]);
    const lost = await rows(
      em,
      `select 1 from email_history where id = ? and files_missing_at < now() - interval '${FILES_MISSING_HOURS} hours'`,
      [sendId],
    );
    return lost.length > 0;
  }

  /** Records that the files can be read. */
  async noteReadable(em: EntityManager, sendId: string): Promise<void> {
    await changed(em, `update email_history set ${NO_FILE_WAIT} where id = ? and files_unread_at is not null`, [
      sendId,
    ]);
  }
}

/**
 * Moves `files_missing_at` forward by the part of a gap that does not count. Writes at most once a minute, because every
 * batch of the send looks for the files.
 */
const RECORD_MISSING = `
  update email_history set files_unread_at = coalesce(files_unread_at, now()), files_last_missing_at = now(),
    files_missing_at = coalesce(files_missing_at + greatest(interval '0', now() - coalesce(files_last_missing_at, files_missing_at) - interval '${COUNTED_GAP_MINUTES} minutes'), now())
  where id = ? and status = 'pending' and (files_missing_at is null or files_last_missing_at is null or files_last_missing_at < now() - interval '1 minute')`;
