import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';
import type { Address } from '../../shared/mail/address.js';
import { DataSubjectSource } from '../../shared/personal-data.js';
import { excludesAddress, withoutExcludedAddress } from './excluded-addresses.js';

const NAMED = excludesAddress('d.audience');

/** Personal data in drafts: addresses that a user excludes from an email. */
@Injectable()
export class DraftPersonalData extends DataSubjectSource {
  async export(em: EntityManager, { norm }: Address): Promise<Record<string, object[]>> {
    const drafts = await rows(
      em,
      `select d.subject, d.created_at as "createdAt" from email_drafts d where ${NAMED} order by d.created_at`,
      [norm],
    );
    return { leftOutOfDrafts: drafts };
  }

  /**
   * Removes the address from drafts. Increases their versions, so that an open window cannot save the address again.
   */
  erase(em: EntityManager, { norm }: Address): Promise<number> {
    return changed(
      em,
      `update email_drafts d set version = version + 1, audience = ${withoutExcludedAddress('d.audience')} where ${NAMED}`,
      [norm, norm],
    );
  }
}

@Module({ providers: [DraftPersonalData], exports: [DraftPersonalData] })
export class DraftPersonalDataModule {}
