import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SystemMailOutbox } from '../../shared/mail/system-mail/system-mail-outbox.js';
import { SystemMailWithdrawal } from '../../shared/mail/system-mail/system-mail-withdrawal.js';
import { suspendedSql } from '../auth/index.js';
import { INVITE_MAIL, refusesUnrequestedMailSql } from '../lists/index.js';

/** Cancels unsent invites of suspended and deleted accounts, and to people who have opted out. */
@Injectable()
export class InviteWithdrawal extends SystemMailWithdrawal {
  protected readonly kind = INVITE_MAIL;
  protected readonly wanted = `exists (select 1 from referral_invites i where i.id = m.subject_id and not ${suspendedSql('i.inviter_user_id')})`;
  protected override readonly notOptedOut = `not exists (select 1 from referral_invites i where i.id = m.subject_id and ${refusesUnrequestedMailSql('i.inviter_user_id')})`;

  constructor(em: EntityManager, outbox: SystemMailOutbox) {
    super(em, outbox);
  }
}
