import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed } from '../../../shared/database/queries/rows.js';
import type { Client } from '../../../shared/http/requests/request-user.js';
import { AccountMail, type AccountMailTo } from '../account/account-mail.service.js';
import { AuditTrail } from '../audit/audit-trail.service.js';

/**
 * Does what must follow a change of the password, in the same transaction: signs devices out, sends a mail, records the
 * change.
 */
@Injectable()
export class PasswordChangeFollowUp {
  constructor(
    private readonly mail: AccountMail,
    private readonly audit: AuditTrail,
  ) {}

  /** @param stays id of the session that changed the password; it stays signed in */
  async follow(
    em: EntityManager,
    kind: 'password.changed' | 'password.reset',
    account: AccountMailTo,
    client: Client,
    stays: string | null = null,
  ): Promise<void> {
    await changed(em, `delete from auth_sessions where user_id = ? and id is distinct from ?::uuid`, [
      account.userId,
      stays,
    ]);
    await this.mail.passwordChanged(em, account, client);
    await this.audit.record(em, { kind, userId: account.userId, client });
  }
}
