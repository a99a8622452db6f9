import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../shared/database/queries/rows.js';
import type { Address } from '../../shared/mail/address.js';
import { DataSubjectSource } from '../../shared/personal-data.js';

/** SQL: a draft `d` leaves the address out by name. */
const NAMED = `exists (select 1 from jsonb_array_elements_text(d.audience -> 'excludeAddresses') e where lower(e) = ?)`;

/** A person whom drafts leave out by address. */
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

  /** The version moves on, so that an open window does not write the address back. */
  erase(em: EntityManager, { norm }: Address): Promise<number> {
    return changed(
      em,
      `update email_drafts d set version = version + 1, audience = jsonb_set(d.audience, '{excludeAddresses}', (
         select coalesce(jsonb_agg(e), '[]'::jsonb) from jsonb_array_elements_text(d.audience -> 'excludeAddresses') e where lower(e) <> ?))
       where ${NAMED}`,
      [norm, norm],
    );
  }
}

@Module({ providers: [DraftPersonalData], exports: [DraftPersonalData] })
export class DraftPersonalDataModule {}
