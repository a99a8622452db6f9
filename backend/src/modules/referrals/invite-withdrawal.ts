import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SystemMailOutbox } from '../../shared/mail/system-mail/system-mail-outbox.js';
import { SystemMailWithdrawal } from '../../shared/mail/system-mail/system-mail-withdrawal.js';
import { suspendedSql } from '../auth/index.js';
import { INVITE_MAIL, refusesInvitesOf } from '../lists/index.js';

/** Cancels unsent invites of suspended and deleted accounts. */
@Injectable()
export class InviteWithdrawal extends SystemMailWithdrawal {
  protected readonly kind = INVITE_MAIL;
  protected readonly wanted = `exists (select 1 from referral_invites i where i.id = m.subject_id and not ${suspendedSql('i.inviter_user_id')})`;
  protected override readonly accepted = `not ${refusesInvitesOf('(select i.inviter_user_id from referral_invites i where i.id = m.subject_id)')}`;

  constructor(em: EntityManager, outbox: SystemMailOutbox) {
    super(em, outbox);
  }
}
