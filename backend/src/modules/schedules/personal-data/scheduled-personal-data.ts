import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { Address } from '../../../shared/mail/address.js';
import { DataSubjectSource } from '../../../shared/personal-data.js';
import { excludesAddress, withoutExcludedAddress } from '../../composing/index.js';

const NAMED = excludesAddress('s.send');

/** Personal data in scheduled emails: the addresses that an email excludes. */
@Injectable()
export class ScheduledPersonalData extends DataSubjectSource {
  async export(em: EntityManager, { norm }: Address): Promise<Record<string, object[]>> {
    const found = await rows(
      em,
      `select s.send ->> 'subject' as subject, s.created_at as "createdAt" from scheduled_sends s where ${NAMED} order by s.created_at`,
      [norm],
    );
    return { leftOutOfScheduledEmails: found };
  }

  /** Increments the version, so that a browser that still shows the old email cannot store the address again. */
  erase(em: EntityManager, { norm }: Address): Promise<number> {
    return changed(
      em,
      `update scheduled_sends s set version = version + 1, send = ${withoutExcludedAddress('s.send')} where ${NAMED}`,
      [norm, norm],
    );
  }
}

@Module({ providers: [ScheduledPersonalData], exports: [ScheduledPersonalData] })
export class ScheduledPersonalDataModule {}
