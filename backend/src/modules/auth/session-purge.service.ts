import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../shared/config/settings.js';
import { changed } from '../../shared/database/rows.js';
import { SingleRunner } from '../../shared/database/single-runner.js';

const HOUR_MS = 3_600_000;

/** Removes what has run out: sessions of devices and visitors, reset links, audit lines older than a year. */
@Injectable()
export class SessionPurge {
  private readonly logger = new Logger(SessionPurge.name);

  constructor(private readonly em: EntityManager, private readonly runner: SingleRunner, private readonly settings: Settings) {}

  @Interval(HOUR_MS)
  async run(): Promise<void> {
    await this.runner.run('auth.session-purge', () => this.purge()).catch((error: unknown) => this.logger.error(error));
  }

  async purge(): Promise<void> {
    const em = this.em.fork();
    await changed(em, `delete from auth_sessions where expires_at < now()`);
    await changed(em, `delete from sessions where expire < now()`);
    await changed(em, `update auth_credentials set reset_token = null, reset_token_expires = null where reset_token_expires < now()`);
    await changed(em, `delete from audit_events where at < now() - make_interval(days => ?::int)`, [this.settings.retention.audit]);
  }
}
