import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../../shared/config/settings.js';
import { changed } from '../../../shared/database/queries/rows.js';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { removeOld, type RetentionRule } from '../../../shared/retention/retention.js';

const HOUR_MS = 3_600_000;

/**
 * Retention rules for sessions and audit events.
 * @param auditDays number of days for which audit events are kept
 */
export const expiredSessions = (auditDays: number): RetentionRule[] => [
  { table: 'auth_sessions', by: 'expires_at', where: 't.expires_at < now()' },
  { table: 'sessions', by: 'expire', where: 't.expire < now()' },
  { table: 'audit_events', by: 'at', where: 't.at < now() - make_interval(days => ?::int)', params: [auditDays] },
];

/** Deletes expired device and visitor sessions, expired reset tokens, and old audit events. */
@Injectable()
export class SessionPurge {
  private readonly logger = new Logger(SessionPurge.name);

  constructor(
    private readonly em: EntityManager,
    private readonly runner: SingleRunner,
    private readonly settings: Settings,
  ) {}

  @Interval(HOUR_MS)
  async run(): Promise<void> {
    await this.runner.run('auth.session-purge', () => this.purge()).catch((error: unknown) => this.logger.error(error));
  }

  async purge(): Promise<void> {
    const em = this.em.fork();
    for (const rule of expiredSessions(this.settings.retention.audit)) await removeOld(em, rule);
    await changed(
      em,
      `update auth_credentials set reset_token = null, reset_token_expires = null where reset_token_expires < now()`,
    );
  }
}
