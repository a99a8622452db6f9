import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { SystemMailWithdrawal } from '../../../shared/mail/system-mail/system-mail-withdrawal.js';
import { suspendedSql } from '../../auth/index.js';
import { refusesInvitesOf, TESTER_MAIL } from '../../lists/index.js';

/** Withdraws waiting confirmation mails to testers of suspended or deleted users. */
@Injectable()
export class TesterWithdrawal extends SystemMailWithdrawal {
  protected readonly kind = TESTER_MAIL;
  protected readonly wanted = `exists (select 1 from users u where u.id = m.subject_id and u.deleted_at is null) and not ${suspendedSql('m.subject_id')}`;
  /** The user may have removed the tester, too. */
  protected override readonly accepted = `exists (select 1 from testers t where t.user_id = m.subject_id and t.address_hash = m.recipient_hash)
    and not ${refusesInvitesOf('m.subject_id')}`;

  constructor(em: EntityManager, outbox: SystemMailOutbox) {
    super(em, outbox);
  }
}
