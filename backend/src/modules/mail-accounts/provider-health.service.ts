import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed } from '../../shared/database/queries/rows.js';

const OK_EVERY_MS = 15_000;
const FAILURE_EVERY_MS = 1_000;
/** First pause in seconds; each further consecutive failure doubles the pause. */
const INITIAL_PAUSE_SECONDS = 15;
const MAX_PAUSE_SECONDS = 300;

/**
 * Records the health of accounts for all instances. Writes at most every few seconds per account, not once per message.
 */
@Injectable()
export class ProviderHealth {
  private readonly log = new Logger(ProviderHealth.name);
  private readonly noted = new Map<string, { ok: boolean; at: number }>();

  constructor(private readonly em: EntityManager) {}

  /** @returns whether the success was written; false if the last one was written only seconds ago */
  worked(id: string): boolean {
    if (!this.isNews(id, true, OK_EVERY_MS)) return false;
    this.write(
      `update email_providers set state = 'ok', last_ok_at = now(), failures = 0, held_until = null where id = ?`,
      [id],
    );
    return true;
  }

  /**
   * Records a failure, at most once per second and account.
   * @param error text for admins
   * @param detail text for the log
   * @returns whether the failure was written
   */
  failed(id: string, name: string, error: string, detail = error): boolean {
    if (!this.isNews(id, false, FAILURE_EVERY_MS)) return false;
    this.log.warn(
      { provider: name, error: detail, code: 'mail_account_failing' },
      'a mail account refuses us or is unreachable',
    );
    // Failures during one pause count as one, because many messages hit the same fault at once.
    this.write(
      `update email_providers set state = 'failing', last_error_at = now(), last_error = ?,
         failures = failures + case when held_until > now() then 0 else 1 end,
         held_until = case when held_until > now() then held_until else now() + make_interval(secs => least(?::int * power(2, least(failures, 10)), ?::int)) end
       where id = ?`,
      [error.slice(0, 500), INITIAL_PAUSE_SECONDS, MAX_PAUSE_SECONDS, id],
    );
    return true;
  }

  private isNews(id: string, ok: boolean, everyMs: number): boolean {
    const last = this.noted.get(id);
    const now = performance.now();
    if (last?.ok === ok && now - last.at < everyMs) return false;
    this.noted.set(id, { ok, at: now });
    return true;
  }

  private write(sql: string, params: unknown[]): void {
    changed(this.em.fork(), sql, params).catch((error: unknown) =>
      this.log.warn({ err: error }, 'the health of a mail account could not be written'),
    );
  }
}
