import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';
import type { Address } from '../../shared/mail/address.js';
import { DataSubjectSource } from '../../shared/personal-data.js';
import { SystemMailOutbox } from '../../shared/mail/system-mail/system-mail-outbox.js';
import { SystemMailWithdrawal } from '../../shared/mail/system-mail/system-mail-withdrawal.js';
import { suspendedSql } from '../auth/index.js';
import { INVITE_MAIL } from '../lists/index.js';

/** Data about a person who was invited. */
@Injectable()
export class InviteeRecords extends DataSubjectSource {
  async export(em: EntityManager, { norm }: Address): Promise<Record<string, object[]>> {
    return {
      invites: await rows(
        em,
        `select invitee_email as "inviteeEmail", sent_at as "sentAt", accepted_at as "acceptedAt" from referral_invites where lower(invitee_email) = ?`,
        [norm],
      ),
    };
  }

  erase(em: EntityManager, { norm }: Address): Promise<number> {
    return changed(em, `delete from referral_invites where lower(invitee_email) = ?`, [norm]);
  }
}

@Module({ providers: [InviteeRecords], exports: [InviteeRecords] })
export class InviteeRecordsModule {}

/** Cancels unsent invites of suspended and deleted accounts. */
@Injectable()
export class InviteWithdrawal extends SystemMailWithdrawal {
  protected readonly kind = INVITE_MAIL;
  protected readonly wanted = `exists (select 1 from referral_invites i where i.id = m.subject_id and not ${suspendedSql('i.inviter_user_id')})`;

  constructor(em: EntityManager, outbox: SystemMailOutbox) {
    super(em, outbox);
  }
}
