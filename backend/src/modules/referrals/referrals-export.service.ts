import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { type ExportCell, ExportParts } from '../../shared/export/export-parts.js';
import { ReferralReader } from './referral-reader.service.js';

/** Invites, what came of them and the months earned, for the download of an account's own data; of a referred person only that there was one. */
@Injectable()
export class ReferralsExport implements OnModuleInit {
  constructor(private readonly em: EntityManager, private readonly reader: ReferralReader, private readonly parts: ExportParts) {}

  onModuleInit(): void {
    this.parts.add(
      { file: 'referral-invites.csv', header: ['email', 'status', 'sent', 'accepted', 'expires'], rows: (userId) => this.invites(userId) },
      { file: 'referral-conversions.csv', header: ['type', 'at'], rows: (userId) => this.conversions(userId) },
      { file: 'referral-months.csv', header: ['state', 'starts', 'ends', 'cents', 'reason', 'earned'], rows: (userId) => this.months(userId) },
    );
  }

  private async *invites(userId: string): AsyncGenerator<ExportCell[]> {
    for await (const { inviteeEmail, status, sentAt, acceptedAt, expiresAt } of await this.reader.all(userId, {})) yield [inviteeEmail, status, sentAt, acceptedAt, expiresAt];
  }

  private conversions(userId: string): AsyncGenerator<ExportCell[]> {
    return this.cells(`select array[conversion_type, ${iso('converted_at')}] as cells from referral_conversions where referrer_user_id = ? order by converted_at, id`, userId);
  }

  private months(userId: string): AsyncGenerator<ExportCell[]> {
    return this.cells(
      `select array[state, ${iso('starts_at')}, ${iso('ends_at')}, cents::text, reason, ${iso('earned_at')}] as cells from referral_credits where user_id = ? order by earned_at, id`,
      userId,
    );
  }

  private async *cells(sql: string, userId: string): AsyncGenerator<ExportCell[]> {
    for (const { cells } of await rows<{ cells: ExportCell[] }>(this.em.fork(), sql, [userId])) yield cells;
  }
}

const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
