import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { SystemMailWithdrawal } from '../../../shared/mail/system-mail/system-mail-withdrawal.js';
import { suspendedSql } from '../../auth/index.js';
import { refusesUnrequestedMailSql, TESTER_MAIL } from '../../lists/index.js';

/** Cancels unsent mails to testers: the user was suspended or deleted, the tester removed, or the person opted out. */
@Injectable()
export class TesterWithdrawal extends SystemMailWithdrawal {
  protected readonly kind = TESTER_MAIL;
  protected readonly wanted = `exists (select 1 from testers t where t.user_id = m.subject_id and t.address_hash = m.recipient_hash)
    and exists (select 1 from users u where u.id = m.subject_id and u.deleted_at is null) and not ${suspendedSql('m.subject_id')}`;
  protected override readonly notOptedOut = `not ${refusesUnrequestedMailSql('m.subject_id')}`;
  protected override readonly reason = 'The account was suspended or closed, or the tester removed';

  constructor(em: EntityManager, outbox: SystemMailOutbox) {
    super(em, outbox);
  }
}
