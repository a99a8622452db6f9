import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { hashMailbox } from '../../shared/mail/mailbox.js';

/** Mails in 24 hours to one mailbox about accounts that nobody has shown to be its own, all of them together. */
export const UNPROVEN_A_DAY = 10;

/**
 * Whoever registers names any address, again and again with other tags or after deleting the account. Until it is verified, what is
 * mailed there is mail to a stranger, and each account's own limit bounds nothing.
 */
@Injectable()
export class UnprovenMail {
  /** Within the caller's transaction, in which the mail is written: of several at once each sees the one before. */
  async mayMail(em: EntityManager, emailNorm: string): Promise<boolean> {
    return (await this.waitSeconds(em, emailNorm)) === 0;
  }

  /** The same, for an account that may be verified: its owner is told whatever happens to it. */
  async mayTell(em: EntityManager, account: { userId: string; emailNorm: string }): Promise<boolean> {
    const [verified] = await rows(em, `select 1 from auth_credentials where user_id = ? and is_verified`, [account.userId]);
    return verified !== undefined || this.mayMail(em, account.emailNorm);
  }

  /** Seconds until the mailbox may get one more; 0: now. */
  async waitSeconds(em: EntityManager, emailNorm: string): Promise<number> {
    const mailbox = hashMailbox(emailNorm);
    await rows(em, `select pg_advisory_xact_lock(hashtextextended('auth.unproven-mail.' || ?::text, 0))`, [mailbox.toString('hex')]);
    const [found] = await rows<{ wait: number }>(
      em,
      `select ceil(extract(epoch from created_at + interval '24 hours' - now()))::int as wait from system_mails
       where recipient_mailbox = ? and kind in ('auth.verify', 'auth.reset', 'auth.password_changed', 'auth.deleted') and created_at > now() - interval '24 hours'
       order by created_at desc offset ? limit 1`,
      [mailbox, UNPROVEN_A_DAY - 1],
    );
    return Math.max(0, found?.wait ?? 0);
  }
}
