import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { changed, rows } from '../../shared/database/queries/rows.js';

const DEFAULT_NAME = 'smtp';
const READ_AGAIN_MS = 5_000;

/**
 * Keeps the default mail account's row in sync with SMTP_URL, and finds the default account. The row never holds the
 * secret.
 */
@Injectable()
export class DefaultMailAccount implements OnApplicationBootstrap {
  private id?: string;
  private readAt = -Infinity;

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const url = new URL(this.settings.smtpUrl);
    const config = JSON.stringify({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || null,
      secure: url.protocol === 'smtps:',
    });
    await changed(
      this.em,
      `insert into email_providers (name, api_key_ref, config, is_default)
       values (?, 'SMTP_URL', ?::jsonb, not exists (select 1 from email_providers where is_default)) on conflict do nothing`,
      [DEFAULT_NAME, config],
    );
    await changed(
      this.em,
      `update email_providers set config = coalesce(config, '{}') || ?::jsonb, updated_at = now() where name = ? and api_key_ref = 'SMTP_URL' and not coalesce(config, '{}') @> ?::jsonb`,
      [config, DEFAULT_NAME, config],
    );
  }

  /** Drops the cached id; the next call of `defaultId` reads it again. */
  forget(): void {
    this.readAt = -Infinity;
  }

  /**
   * Id of the account that sends use. Cached for 5 s.
   * @returns null if there is no active default account
   */
  async defaultId(em: EntityManager): Promise<string | null> {
    if (performance.now() - this.readAt < READ_AGAIN_MS) return this.id ?? null;
    this.id = (await rows<{ id: string }>(em, `select id from email_providers where is_default and is_active`))[0]?.id;
    this.readAt = performance.now();
    return this.id ?? null;
  }
}
