import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { Address } from '../../../shared/mail/address.js';
import { DataSubjectSource } from '../../../shared/personal-data.js';

/** SQL: a scheduled send `s` leaves the address out by name. */
const NAMED = `exists (select 1 from jsonb_array_elements_text(s.send -> 'excludeAddresses') e where lower(e) = ?)`;

/** A person whom scheduled emails leave out by address. */
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

  /** The version moves on, so that an open window does not write the address back. */
  erase(em: EntityManager, { norm }: Address): Promise<number> {
    return changed(
      em,
      `update scheduled_sends s set version = version + 1, send = jsonb_set(s.send, '{excludeAddresses}', (
         select coalesce(jsonb_agg(e), '[]'::jsonb) from jsonb_array_elements_text(s.send -> 'excludeAddresses') e where lower(e) <> ?))
       where ${NAMED}`,
      [norm, norm],
    );
  }
}

@Module({ providers: [ScheduledPersonalData], exports: [ScheduledPersonalData] })
export class ScheduledPersonalDataModule {}
