import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { Address } from '../../../shared/mail/address.js';
import { DataSubjectSource } from '../../../shared/personal-data.js';

/** Personal data of people whom users added as testers. */
@Injectable()
export class TesterPersonalData extends DataSubjectSource {
  async export(em: EntityManager, { hash }: Address): Promise<Record<string, object[]>> {
    const testerOf = await rows(
      em,
      `select address, created_at as "createdAt", asked_at as "askedAt", confirmed_at as "confirmedAt"
       from testers where address_hash = ? order by created_at`,
      [hash],
    );
    return { testerOf };
  }

  erase(em: EntityManager, { hash }: Address): Promise<number> {
    return changed(em, `delete from testers where address_hash = ?`, [hash]);
  }
}

@Module({ providers: [TesterPersonalData], exports: [TesterPersonalData] })
export class TesterPersonalDataModule {}
