import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../shared/http/requests/request-user.js';
import { AccountErasure } from './account-erasure.service.js';
import { AccountMail } from './account-mail.service.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { wrongPassword } from '../auth.errors.js';
import { PasswordChange } from '../passwords/password-change.service.js';

/**
 * Closes an account. After the first commit, signing in to the account is impossible, its sends have stopped, and its
 * address can be registered again. Its data is erased afterwards; if a crash prevents this, the sweeper does it (see
 * decisions.md: account-deletion).
 */
@Injectable()
export class AccountDeletion {
  private readonly log = new Logger(AccountDeletion.name);

  constructor(
    private readonly em: EntityManager,
    private readonly passwords: PasswordChange,
    private readonly mail: AccountMail,
    private readonly erasure: AccountErasure,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Closes the user's account.
   * @throws 400 for a wrong password
   */
  async remove(user: RequestUser, password: string): Promise<void> {
    if (!(await this.passwords.confirmed(user.id, password))) throw wrongPassword();
    await inTransaction(this.em, (em) => this.close(em, user));
    this.log.log({ userId: user.id }, 'an account was deleted by its owner');
    await this.mail.kick();
    await this.erasure.eraseSoon(user.id);
  }

  private async close(em: EntityManager, user: RequestUser): Promise<void> {
    const [closed] = await rows(
      em,
      `update users set deleted_at = now(), suspended_at = coalesce(suspended_at, now()), is_admin = false, email = '', email_norm = 'deleted:' || id,
         first_name = '', last_name = '', agency_name = null, profile_image_url = null, updated_at = now()
       where id = ? and deleted_at is null returning id`,
      [user.id],
    );
    if (!closed) return;
    await this.mail.accountDeleted(em, { ...user, userId: user.id });
    for (const table of ['auth_credentials', 'auth_sessions', 'user_avatars'])
      await changed(em, `delete from ${table} where user_id = ?`, [user.id]);
    await this.audit.record(em, { kind: 'account.deleted', userId: user.id });
    await this.audit.pseudonymise(em, { ...user, userId: user.id });
  }
}
