import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed } from '../../shared/database/rows.js';
import type { Client } from '../../shared/http/client-of.js';
import { AccountMail, type AccountMailTo } from './account-mail.service.js';
import { AuditTrail } from './audit-trail.service.js';

/** What a new password brings with it, within the transaction that sets it: devices are signed out, a mail tells of it, the trail has it. */
@Injectable()
export class PasswordConsequences {
  constructor(private readonly mail: AccountMail, private readonly audit: AuditTrail) {}

  /** @param stays the session that is not ended: that of who changed it */
  async follow(em: EntityManager, kind: 'password.changed' | 'password.reset', account: AccountMailTo, client: Client, stays: string | null = null): Promise<void> {
    await changed(em, `delete from auth_sessions where user_id = ? and id is distinct from ?::uuid`, [account.userId, stays]);
    await this.mail.passwordChanged(em, account, client);
    await this.audit.record(em, { kind, userId: account.userId, client });
  }
}
