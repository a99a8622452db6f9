import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isoTimeSql } from '../../shared/text/formats.js';
import { rows } from '../../shared/database/queries/rows.js';
import { type ExportCell, ExportParts } from '../../shared/personal-data.js';
import { ReferralReader } from './referral-reader.service.js';

/**
 * Adds invites, conversions and earned months to the account's data export. Reveals nothing about a referred person
 * except that there is one.
 */
@Injectable()
export class ReferralsExport implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly reader: ReferralReader,
    private readonly parts: ExportParts,
  ) {}

  onModuleInit(): void {
    this.parts.add(
      {
        file: 'referral-invites.csv',
        header: ['email', 'status', 'sent', 'accepted', 'expires'],
        rows: (userId) => this.invites(userId),
      },
      { file: 'referral-conversions.csv', header: ['type', 'at'], rows: (userId) => this.conversions(userId) },
      {
        file: 'referral-months.csv',
        header: ['state', 'starts', 'ends', 'cents', 'reason', 'earned'],
        rows: (userId) => this.months(userId),
      },
    );
  }

  private async *invites(userId: string): AsyncGenerator<ExportCell[]> {
    for await (const { inviteeEmail, status, sentAt, acceptedAt, expiresAt } of await this.reader.all(userId, {}))
      yield [inviteeEmail, status, sentAt, acceptedAt, expiresAt];
  }

  private conversions(userId: string): AsyncGenerator<ExportCell[]> {
    return this.cells(
      `select array[conversion_type, ${isoTimeSql('converted_at')}] as cells from referral_conversions where referrer_user_id = ? order by converted_at, id`,
      userId,
    );
  }

  private months(userId: string): AsyncGenerator<ExportCell[]> {
    return this.cells(
      `select array[state, ${isoTimeSql('starts_at')}, ${isoTimeSql('ends_at')}, cents::text, reason, ${isoTimeSql('earned_at')}] as cells from referral_credits where user_id = ? order by earned_at, id`,
      userId,
    );
  }

  private async *cells(sql: string, userId: string): AsyncGenerator<ExportCell[]> {
    for (const { cells } of await rows<{ cells: ExportCell[] }>(this.em.fork(), sql, [userId])) yield cells;
  }
}
