import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';
import type { Address } from '../../shared/mail/address.js';
import { DataSubjectSource } from '../../shared/personal-data.js';

/** Data about a person who was invited. */
@Injectable()
export class InviteePersonalData extends DataSubjectSource {
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

@Module({ providers: [InviteePersonalData], exports: [InviteePersonalData] })
export class InviteePersonalDataModule {}
