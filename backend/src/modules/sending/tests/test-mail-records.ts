import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { Address } from '../../../shared/mail/address.js';
import { DataSubjectSource, exportedCells, ExportParts } from '../../../shared/personal-data.js';
import { isoTimeSql } from '../../../shared/text/formats.js';

const ROWS_PER_STATEMENT = 500;

/** Adds test mails to an account's data export. */
@Injectable()
export class TestMailExport implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly parts: ExportParts,
  ) {}

  onModuleInit(): void {
    this.parts.add({
      file: 'tests.csv',
      header: ['id', 'status', 'reason', 'sent', 'settled'],
      rows: (userId) =>
        exportedCells(
          this.em,
          {
            sql: `select id, array[id::text, status, reason, ${isoTimeSql('created_at')}, ${isoTimeSql('settled_at')}] as cells
              from test_mails where user_id = ?::uuid and id > ?::uuid order by id limit ${ROWS_PER_STATEMENT}`,
            params: [userId],
          },
          { limit: ROWS_PER_STATEMENT },
        ),
    });
  }
}

/** Personal data in test mails: the addresses to which they were sent. */
@Injectable()
export class TestMailPersonalData extends DataSubjectSource {
  async export(em: EntityManager, { hash }: Address): Promise<Record<string, object[]>> {
    const tests = await rows(
      em,
      `select status, reason, created_at as "createdAt", settled_at as "settledAt" from test_mails where address_hash = ? order by created_at`,
      [hash],
    );
    return { tests };
  }

  erase(em: EntityManager, { hash }: Address): Promise<number> {
    return changed(em, `delete from test_mails where address_hash = ?`, [hash]);
  }
}

@Module({ providers: [TestMailPersonalData], exports: [TestMailPersonalData] })
export class TestMailPersonalDataModule {}
