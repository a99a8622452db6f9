import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { hashMailbox } from '../../../shared/mail/address.js';

/** Maximum number of account mails to one mailbox in 24 hours while its address is not verified. */
export const UNVERIFIED_MAILS_PER_DAY = 10;

/**
 * Limits mail to unverified addresses per mailbox. A limit per account is not enough, because anyone can register a
 * stranger's address again and again: with +tags, or after deleting the account.
 */
@Injectable()
export class UnverifiedMailLimit {
  /**
   * Whether the mailbox may get another mail. Call it in the transaction that enqueues the mail: a lock makes
   * concurrent calls wait for each other.
   */
  async mayMail(em: EntityManager, emailNorm: string): Promise<boolean> {
    return (await this.waitSeconds(em, emailNorm)) === 0;
  }

  /** Like mayMail, but always true if the account is verified. */
  async allowsNotice(em: EntityManager, account: { userId: string; emailNorm: string }): Promise<boolean> {
    const [verified] = await rows(em, `select 1 from auth_credentials where user_id = ? and is_verified`, [
      account.userId,
    ]);
    return verified !== undefined || this.mayMail(em, account.emailNorm);
  }

  /** Seconds until the mailbox may get another mail; 0 if it may get one now. */
  async waitSeconds(em: EntityManager, emailNorm: string): Promise<number> {
    const mailbox = hashMailbox(emailNorm);
    await rows(em, `select pg_advisory_xact_lock(hashtextextended('auth.unproven-mail.' || ?::text, 0))`, [
      mailbox.toString('hex'),
    ]);
    const [found] = await rows<{ wait: number }>(
      em,
      `select ceil(extract(epoch from created_at + interval '24 hours' - now()))::int as wait from system_mails
       where recipient_mailbox = ? and kind in ('auth.verify', 'auth.reset', 'auth.password_changed', 'auth.deleted') and created_at > now() - interval '24 hours'
       order by created_at desc offset ? limit 1`,
      [mailbox, UNVERIFIED_MAILS_PER_DAY - 1],
    );
    return Math.max(0, found?.wait ?? 0);
  }
}
